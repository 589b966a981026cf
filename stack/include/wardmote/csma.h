/* SPDX-License-Identifier: BSD-3-Clause */
/** @file csma.h
 *  The unslotted CSMA-CA MAC of IEEE 802.15.4 (2015 6.2.5.1, 6.7.4) of a network without beacons
 *  whose nodes listen all the time: random back-offs, acks, retries, spaces between frames, and
 *  frames that came twice. Frames are whole: the caller builds headers and does link security
 *  (link_security.h); a frame that is sent again is the same frame, with the same frame counter.
 *
 *  The board's part is port/csma_port.h. Symbol periods are those of the PHY of 2.4 GHz. */
#ifndef WARDMOTE_CSMA_H
#define WARDMOTE_CSMA_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ieee802154.h>
#include <wardmote/linkage.h>
#include <wardmote/port/csma_port.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** @name MAC constants and attributes (2015 8.4.2, 8.4.3.1), in symbol periods where they are times.
 *  @{ */
#define WM_CSMA_MIN_BE 3       /**< macMinBe */
#define WM_CSMA_MAX_BE 5       /**< macMaxBe */
#define WM_CSMA_MAX_BACKOFFS 4 /**< macMaxCsmaBackoffs */
#define WM_CSMA_MAX_RETRIES 3  /**< macMaxFrameRetries */
#define WM_CSMA_UNIT_BACKOFF 20
#define WM_CSMA_TURNAROUND 12
#define WM_CSMA_ACK_WAIT 54 /**< macAckWaitDuration */
#define WM_CSMA_SIFS 12 /**< macSifsPeriod, behind a frame of WM_CSMA_SIFS_MAX octets or fewer */
#define WM_CSMA_LIFS 40 /**< macLifsPeriod */
#define WM_CSMA_SIFS_MAX 18 /**< aMaxSifsFrameSize, FCS included */
/** @} */

#define WM_CSMA_BROADCAST 0xFFFF
/** Senders whose last sequence number is kept: a frame of the one heard longest ago may be taken
 *  twice. */
#define WM_CSMA_SENDERS 8

/** One sender that was heard. */
typedef struct wm_csma_sender {
    wm_addr address; /**< WM_ADDR_NONE: the place is free */
    uint16_t pan;
    uint8_t seq; /**< of its last frame */
} wm_csma_sender;

/** One MAC: static memory of the caller, set up by wm_csma_init. Its counters may be read. */
typedef struct wm_csma {
    uint16_t pan, address;
    uint16_t random;
    wm_csma_sender sender[WM_CSMA_SENDERS];
    uint32_t retries; /**< frames sent again, since wm_csma_init */
    wm_psdu_len len;  /**< of the frame on its way, FCS excluded */
    uint8_t state, backoffs, exponent, sent;
    uint8_t seq; /**< of the frame on its way */
    bool wants_ack;
} wm_csma;

/** Sets it up. The radio listens, and drops frames that are neither for `address` of `pan` nor for
 *  everybody.
 *  @param seed  of the back-offs; nodes of a network have different ones
 *  @retval WM_ERR_PARAM  seed 0, or an address that is WM_CSMA_BROADCAST or 0xFFFE */
WM_NODISCARD wm_status wm_csma_init(wm_csma *mac, uint16_t pan, uint16_t address, uint16_t seed);

/** Begins to send a frame: `len` octets, secured if it is to be, with its sequence number, FCS
 *  excluded. It is loaded into the radio before this returns. wm_port_csma_done tells the end.
 *  @retval WM_ERR_STATE           one is on its way
 *  @retval WM_ERR_MALFORMED       no frame, an ack, one without sequence number, or one to everybody
 *                                 that asks for an ack
 *  @retval WM_ERR_FRAME_TOO_LONG  over WM_FRAME_MAX octets */
WM_NODISCARD wm_status wm_csma_send(wm_csma *mac, const uint8_t *frame, wm_psdu_len len);

/** Whether a frame is on its way, or loaded. */
bool wm_csma_sending(const wm_csma *mac);

/** The alarm of the port has come. */
void wm_csma_on_alarm(wm_csma *mac);

/** Takes a frame with a right FCS and parses it. An ack ends the wait of the frame that it is for.
 *  Call it before wm_csma_on_alarm when both are due.
 *  @retval WM_OK              a frame for this node or for everybody: `mhr` and `map` are filled
 *  @retval WM_ERR_NOT_FOR_US  an ack, or a frame for another node, or of another PAN
 *  Otherwise as wm_frame_parse. */
WM_NODISCARD wm_status wm_csma_receive(wm_csma *mac, const uint8_t *frame, wm_psdu_len len,
                                       wm_mhr *mhr, wm_frame_map *map);

/** Whether the last frame of this sender had the same sequence number: then it was sent again,
 *  because its ack was lost. Call it once a frame, and in a network with link security only when
 *  the frame is known to be its sender's: else anybody could have another's frame dropped. */
bool wm_csma_repeated(wm_csma *mac, const wm_mhr *mhr);

WM_C_END

#endif
