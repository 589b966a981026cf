/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tinylink.h
 *  Tinylink, an example of a link protocol: short addresses, a counter, CCM with a MIC of 4 octets.
 *
 *      destination 2 | source 2 | counter 4 | payload 0..64 | MIC 4       most significant first
 *
 *  Destination, source and counter are a; the payload is m. The nonce is source and counter, then
 *  zeros. A counter is used once under a key. */
#ifndef WARDMOTE_TINYLINK_H
#define WARDMOTE_TINYLINK_H

#include <wardmote/cipher.h>
#include <wardmote/status.h>

#define WM_TINYLINK_HEADER_LEN 8
#define WM_TINYLINK_MIC_LEN 4
#define WM_TINYLINK_PAYLOAD_MAX 64
#define WM_TINYLINK_FRAME_MAX                                                                      \
    (WM_TINYLINK_HEADER_LEN + WM_TINYLINK_PAYLOAD_MAX + WM_TINYLINK_MIC_LEN)

/** Header of a frame. */
typedef struct wm_tinylink_header {
    uint16_t destination;
    uint16_t source;
    uint32_t counter;
} wm_tinylink_header;

/** What two nodes share, and what this one has seen. Zero it, then set cipher and addresses. */
typedef struct wm_tinylink {
    const wm_cipher *cipher; /**< a key's, of AES-128: `&key.cipher` */
    uint16_t own;            /**< own address */
    uint16_t peer;           /**< the neighbour's address */
    uint32_t next_counter;   /**< of the next frame; all ones: used up */
    uint32_t least_heard;    /**< least counter that is accepted */
} wm_tinylink;

/** Reads the header of a frame of `len` octets.
 *  @retval WM_ERR_MALFORMED       shorter than header and MIC
 *  @retval WM_ERR_FRAME_TOO_LONG  longer than WM_TINYLINK_FRAME_MAX */
WM_NODISCARD wm_status wm_tinylink_parse(const uint8_t *frame, uint8_t len,
                                         wm_tinylink_header *header);

/** Writes the 8 octets of a header. */
void wm_tinylink_build(const wm_tinylink_header *header, uint8_t octets[WM_TINYLINK_HEADER_LEN]);

/** Secures `payload_len` octets that stand at frame + 8; header and MIC are written around them.
 *  @param capacity  octets at `frame`; payload_len + 12 are needed
 *  @param len       octets of the frame when WM_OK
 *  @retval WM_ERR_FRAME_TOO_LONG  more than 64 octets, or no room
 *  @retval WM_ERR_COUNTER         the counter is used up; nothing was written */
WM_NODISCARD wm_status wm_tinylink_secure(wm_tinylink *node, uint8_t *frame, uint8_t capacity,
                                          uint8_t payload_len, uint8_t *len);

/** Unsecures a frame in place: WM_OK means that the payload at frame + 8 is authentic.
 *  @param payload_len  octets of payload when WM_OK
 *  @retval WM_ERR_MALFORMED, WM_ERR_FRAME_TOO_LONG  as wm_tinylink_parse; the frame is unchanged
 *  @retval WM_ERR_NOT_FOR_US  another destination or source; the frame is unchanged
 *  @retval WM_ERR_COUNTER     a counter that was there already; the frame is unchanged
 *  @retval WM_ERR_SECURITY    the MIC is wrong; the payload is all zero */
WM_NODISCARD wm_status wm_tinylink_unsecure(wm_tinylink *node, uint8_t *frame, uint8_t len,
                                            uint8_t *payload_len);

#endif
