/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipsec_ahead.h
 *  IPsec (ipsec.h) at work on a packet while its fragments come in or go out. The packets are the same,
 *  octet for octet; the CPU works in times in which it would wait for the radio.
 *
 *  A packet that comes: wm_ipsec_ahead_open as soon as its first fragment is there, wm_ipsec_ahead_work
 *  while others come, and wm_ipsec_unsecure_ahead in the place of wm_ipsec_unsecure when it is whole. A
 *  packet that goes: wm_ipsec_secure_ahead in the place of wm_ipsec_secure, and wm_ipsec_ahead_make
 *  before octets of it go into a frame; wm_lowpan_send_made asks for that itself.
 *
 *  What cannot be done by pieces is done as a whole, by the same calls: AH that is sent, for its ICV
 *  is in front of what it is made over; AH around ESP; suites that the tables below do not name.
 *
 *  A packet that comes is decrypted before its ICV is known to be right, so until
 *  wm_ipsec_unsecure_ahead answers WM_OK its octets are secret from everybody, the application too. Of
 *  a packet that does not get so far, wm_ipsec_ahead_stop leaves nothing. The window moves after the ICV,
 *  as ever. Before an SA gets other keys, stop what is at work under it. */
#ifndef WARDMOTE_IPSEC_AHEAD_H
#define WARDMOTE_IPSEC_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wardmote/cmac.h>
#include <wardmote/ctr.h>
#include <wardmote/ipsec.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>
#include <wardmote/xcbc_mac.h>

WM_C_BEGIN

/** How far the code of one packet has got. */
typedef union wm_ipsec_mac {
    wm_xcbc_mac xcbc;
    wm_cmac cmac;
} wm_ipsec_mac;

/** An integrity algorithm by pieces. A constant of the stack, below. */
typedef struct wm_ipsec_code {
    const wm_ipsec_integrity *of;
    wm_status (*begin)(wm_ipsec_mac *mac, wm_ipsec_integrity_key key);
    wm_ipsec_take take;
    wm_status (*end)(wm_ipsec_mac *mac, uint8_t *icv); /**< wipes `mac` */
} wm_ipsec_code;

extern const wm_ipsec_code wm_ipsec_code_xcbc_96; /**< of wm_ipsec_aes_xcbc_96 */
extern const wm_ipsec_code wm_ipsec_code_cmac_96; /**< of wm_ipsec_aes_cmac_96 */

/** An encryption algorithm of ESP by pieces. A constant of the stack, below. */
typedef struct wm_ipsec_stream {
    const wm_ipsec_encryption *of;
    /** Begins behind the IV; one that is sent is written first. */
    wm_status (*begin)(wm_ctr *ctr, const wm_ipsec_sa *sa, uint8_t *esp, bool sends);
    /** En- or decrypts the next octets. WM_ERR_ENGINE: they are zero */
    wm_status (*crypt)(wm_ctr *ctr, uint8_t *octets, size_t len);
} wm_ipsec_stream;

extern const wm_ipsec_stream wm_ipsec_stream_null; /**< of wm_ipsec_null */
extern const wm_ipsec_stream wm_ipsec_stream_ctr;  /**< of wm_ipsec_aes_ctr */

/** Work on one packet, in static memory of the caller: it sets it to zeros, and then the two
 *  tables. */
typedef struct wm_ipsec_ahead {
    const wm_ipsec_code *const *codes; /**< NULL at the end. What is not named is not linked */
    const wm_ipsec_stream *const *streams;
    /* ------ */
    wm_ipsec_sa *sa; /**< NULL: there is no packet */
    uint8_t *packet;
    const wm_ipsec_code *code;
    const wm_ipsec_stream *stream; /**< NULL: AH */
    wm_ipsec_integrity_key key;    /**< what the SA had when work began */
    uint32_t spi;
    uint16_t at;      /**< of AH or ESP */
    uint16_t icv;     /**< end of what the code is made over and of what is encrypted */
    uint16_t end;     /**< of the packet */
    uint16_t there;   /**< octets of a packet that have come */
    uint16_t coded;   /**< octets up to here are in the code */
    uint16_t crypted; /**< octets up to here are en- or decrypted */
    bool sends, failed;
    wm_ctr ctr;
    wm_ipsec_mac mac;
} wm_ipsec_ahead;

/** Begins to unsecure a packet of which the first octets are there, and lie where they stay. They do
 *  not change any more.
 *  @param total  octets that the packet has when it is whole; there is room for them
 *  @param have   octets that are there
 *  @retval false  not this one, or another one is at work: wm_ipsec_unsecure_ahead takes it as a whole */
bool wm_ipsec_ahead_open(wm_ipsec_ahead *ahead, const wm_ipsec *ipsec, uint8_t *packet,
                         uint16_t total, uint16_t have);

/** More octets of the packet at work are there, `have` in all without a gap. */
void wm_ipsec_ahead_come(wm_ipsec_ahead *ahead, uint16_t have);

/** Works on one block of the packet, if there is anything to do.
 *  @retval false  there is nothing to do now */
bool wm_ipsec_ahead_work(wm_ipsec_ahead *ahead);

/** wm_ipsec_unsecure for a whole packet, which may be at work. Afterwards there is no packet at work.
 *  @retval WM_ERR_UNAVAILABLE_KEY  also when its SA got other keys in between */
WM_NODISCARD wm_status wm_ipsec_unsecure_ahead(wm_ipsec_ahead *ahead, wm_ipsec *ipsec,
                                               uint8_t *packet, uint16_t *len);

/** wm_ipsec_secure, but what the answer WM_OK leaves undone is done later: no octet may leave before
 *  wm_ipsec_ahead_make has made it. Answers and packet are those of wm_ipsec_secure. While another
 *  packet is at work, this one is secured as a whole. */
WM_NODISCARD wm_status wm_ipsec_secure_ahead(wm_ipsec_ahead *ahead, wm_ipsec *ipsec,
                                             uint8_t *packet, size_t size, uint16_t *len);

/** Makes the octets of a packet that goes up to `end` what they are to be; with the last octet the work
 *  ends. It does nothing if there is no work on `packet`: then all are.
 *  @retval WM_ERR_ENGINE  a cipher failed: the packet is zero from AH or ESP on, and none of it may
 *                         leave */
WM_NODISCARD wm_status wm_ipsec_ahead_make(wm_ipsec_ahead *ahead, const uint8_t *packet,
                                           uint16_t end);

/** Gives the work up, if there is any: zeroes what is behind the header of AH or ESP and has come, or
 *  goes. For a packet that was dropped. */
void wm_ipsec_ahead_stop(wm_ipsec_ahead *ahead);

WM_C_END

#endif
