/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee_nwk.h
 *  NWK security of ZigBee PRO (05-3474-22 4.3.1): every hop secures a frame anew with the network key.
 *
 *      NWK header 8..  | auxiliary header 14 | payload, encrypted | MIC 4
 *
 *  The nonce is the address of the node that secured the frame, its frame counter, and the security
 *  control octet with the level in it. On the air that octet has zeros for the level.
 *
 *      static wm_zigbee_sender senders[16];
 *      static wm_zigbee_nwk nwk = {.address = {0x00, 0x12, 0x4b, ...}, .counter = &slot.counter,
 *                                  .senders = senders, .capacity = 16};
 *      status = wm_zigbee_nwk_start(&nwk, &key.cipher, 0);
 *
 *  All zero, a wm_zigbee_nwk accepts nothing: no frame in clear, none whose level bits are set, none
 *  of a sender that has no place in the table. A key is used with one counter that never begins
 *  again by itself, so no nonce comes twice.
 *
 *  Each node of the network has the network key. Who it is that secured a frame is what the frame
 *  says, and any node of the network can say it. */
#ifndef WARDMOTE_ZIGBEE_NWK_H
#define WARDMOTE_ZIGBEE_NWK_H

#include <wardmote/cipher.h>
#include <wardmote/counter.h>
#include <wardmote/linkage.h>
#include <wardmote/zigbee.h>

WM_C_BEGIN

#define WM_ZIGBEE_NWK_KEYS 2 /**< the active one, and the one before or after it */

/** Frame Type of a NWK frame. */
typedef enum wm_zigbee_nwk_type {
    WM_ZIGBEE_NWK_DATA = 0,
    WM_ZIGBEE_NWK_COMMAND = 1
} wm_zigbee_nwk_type;

/** NWK header as values. */
typedef struct wm_zigbee_nwk_header {
    uint8_t type; /**< wm_zigbee_nwk_type */
    bool secured, dst_ext_present, src_ext_present;
    uint16_t dst, src; /**< network addresses: of the first and of the last hop */
    uint8_t radius, sequence;
    uint8_t dst_ext[8], src_ext[8]; /**< meaningful if present */
    /** octets without auxiliary header. In a frame in clear the payload begins here */
    uint8_t len;
} wm_zigbee_nwk_header;

/** Reads the header of a NWK frame of `len` octets, secured or not: what a MAC data frame carries.
 *  @retval WM_ERR_MALFORMED    too short for its own fields, or of a reserved type
 *  @retval WM_ERR_NOT_FOR_US   an inter-PAN frame, or of another protocol version than 2: ZigBee of
 *                              2004, Green Power */
WM_NODISCARD wm_status wm_zigbee_nwk_parse(const uint8_t *frame, uint8_t len,
                                           wm_zigbee_nwk_header *header);

/** A neighbour, and what its next frame must have. */
typedef struct wm_zigbee_sender {
    uint8_t address[8];
    /** where `next` survives a reset. NULL: it does not, and after a reset frames that were heard
     *  before it are accepted again, once */
    wm_counter *counter;
    uint32_t next;    /**< its own: least counter that is accepted */
    uint8_t sequence; /**< its own: of the newest key it was heard with. Older ones are refused */
} wm_zigbee_sender;

/** A network key. */
typedef struct wm_zigbee_network_key {
    const wm_cipher *cipher; /**< NULL: none */
    uint8_t sequence;        /**< key sequence number */
} wm_zigbee_network_key;

/** One node's NWK security. Set it to zeros, set the members you need, then call
 *  wm_zigbee_nwk_start. */
typedef struct wm_zigbee_nwk {
    uint8_t address[8]; /**< the node's own */
    wm_counter
        *counter; /**< of frames that it secures, under whatever network key. No other node or
                              layer has the same */
    /** neighbours. The first `known` are set by the caller: `address` and `counter`, else zeros */
    wm_zigbee_sender *senders;
    uint8_t known;
    /** of `senders`. Places behind the known ones are filled with senders as they are heard; when
     *  all are in use, others are refused: if the table forgot one, its old frames could be
     *  replayed */
    uint8_t capacity;
    /** nwkSecurityLevel, 1..7, the same in all of the network; 0: WM_ZIGBEE_LEVEL_USUAL. At level 4
     *  nothing is authenticated */
    uint8_t level;
    /** frames in clear are answered with WM_NOT_SECURED. A node that joins needs it until it has the
     *  network key */
    bool accept_clear;
    /** frames whose level bits are not 0 on the air are taken like others, as the standard has
     *  it: nothing protects these bits */
    bool ignore_level_bits;
    wm_zigbee_network_key keys[WM_ZIGBEE_NWK_KEYS]; /**< its own */
    uint8_t active;                                 /**< its own: index of the key that secures */
    uint32_t next;                                  /**< its own: counter of the next frame */
} wm_zigbee_nwk;

/** Takes the counters out of their stores and begins with one key. Call it after the stores were
 *  opened, and before any frame.
 *  @param sequence  the key's number
 *  @retval WM_ERR_PARAM     the cipher's blocks are not of 16 octets, the level is over 7, or more
 *                           are known than there is room for
 *  @retval WM_ERR_STATE     the key was not made
 *  @retval WM_ERR_NO_STORE  there is no counter, or one of zeros. After each, every frame is refused */
WM_NODISCARD wm_status wm_zigbee_nwk_start(wm_zigbee_nwk *nwk, const wm_cipher *key,
                                           uint8_t sequence);

/** Secures a frame in place: `frame` has `size` octets of room and `*len` octets in clear, its
 *  Security bit 0. Inserts the auxiliary header, encrypts, appends the MIC: 18 octets more at level
 *  5. The counter is used up when this returns WM_OK.
 *  @retval WM_ERR_PARAM            Security is 1 already
 *  @retval WM_ERR_FRAME_TOO_LONG   over `size`
 *  @retval WM_ERR_UNAVAILABLE_KEY  no key: wm_zigbee_nwk_start was not called, or failed
 *  @retval WM_ERR_STATE            the key was wiped, or the counter's store opened anew since
 *  @retval WM_ERR_COUNTER          all counters are used
 *  @retval WM_ERR_STORAGE          the counter could not be kept
 *  @retval others                  of wm_zigbee_nwk_parse. After each so far the frame is as it was
 *  @retval WM_ERR_ENGINE           the cipher failed: the frame is all zero, with `*len` as it was */
WM_NODISCARD wm_status wm_zigbee_nwk_secure(wm_zigbee_nwk *nwk, uint8_t *frame, uint8_t size,
                                            uint8_t *len);

/** What a frame that was accepted tells. */
typedef struct wm_zigbee_nwk_incoming {
    wm_zigbee_nwk_header header;
    wm_zigbee_aux aux; /**< of a secured frame */
    /** it came under a newer key than the active one: the network has gone on. Store the key's
     *  number, then call wm_zigbee_nwk_switch, then use the frame: after a reset before the number
     *  is stored, the frame may be accepted once more */
    bool newer;
} wm_zigbee_nwk_incoming;

/** Unsecures a received frame in place: decrypts, takes auxiliary header and MIC out, sets Security
 *  to 0; `*len` shrinks by them. Statuses in the order of the checks:
 *  @retval WM_OK                 a node of the network secured this frame
 *  @retval WM_NOT_SECURED        it came in clear, and `accept_clear` has it. Anybody may have
 *                                sent it
 *  @retval WM_NOT_AUTHENTICATED  level 4: it was decrypted, and anybody may have written it. No
 *                                counter moves
 *
 *  @retval WM_ERR_MALFORMED, WM_ERR_NOT_FOR_US  of wm_zigbee_nwk_parse, or no room for auxiliary
 *                                header and MIC, or no source in it
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  it came in clear; or its level bits are set
 *  @retval WM_ERR_IMPROPER_KEY_TYPE        not the network key
 *  @retval WM_ERR_COUNTER                  all ones, or this sender has used it, or a key older than
 *                                          the sender's last, or our own frame that somebody sends
 *                                          back
 *  @retval WM_ERR_UNAVAILABLE_KEY          no key has this number
 *  @retval WM_ERR_UNAVAILABLE_DEVICE       the table of senders is full
 *  @retval WM_ERR_STATE                    the key was wiped. After each so far the frame is as it
 *                                          was
 *  @retval WM_ERR_SECURITY, WM_ERR_ENGINE, WM_ERR_STORAGE  the MIC is wrong, the cipher failed, the
 *                                          counter could not be kept: all behind the NWK header is
 *                                          zero. On every error `*len` and all counters stay */
WM_NODISCARD wm_status wm_zigbee_nwk_unsecure(wm_zigbee_nwk *nwk, uint8_t *frame, uint8_t *len,
                                              wm_zigbee_nwk_incoming *incoming);

/** Adds the network key that comes next (4.4.10, Transport-Key): frames under it are taken from now
 *  on, beside those under the active one, which goes on to secure. A key that was added before and
 *  not switched to is forgotten.
 *  @param sequence  the key's number, newer than the active one's
 *  @retval WM_ERR_UNAVAILABLE_KEY  there is no active key: wm_zigbee_nwk_start takes the first
 *  @retval WM_ERR_PARAM            the number is not newer, or the cipher's blocks are not of 16
 *                                  octets
 *  @retval WM_ERR_STATE            the key was not made. After each nothing has changed */
WM_NODISCARD wm_status wm_zigbee_nwk_add_key(wm_zigbee_nwk *nwk, const wm_cipher *key,
                                             uint8_t sequence);

/** Makes the key that was added the active one (4.4.10, Switch-Key, or a frame that was `newer`).
 *  From now on no frame under the old key is taken: it may be the one that somebody has who left.
 *  Store the key and its number first, where they outlive a reset. The node's own counter goes on.
 *  A sender may begin anew under the new key. If power fails after the number was stored and before
 *  this returns, frames of one that did so and was heard before may be accepted once more; never
 *  those of one that goes on with its counter.
 *  @retval WM_OK                   it is active now, or was already
 *  @retval WM_ERR_UNAVAILABLE_KEY  no key has this number; nothing has changed
 *  @retval WM_ERR_STORAGE          it is active now, but a sender's counter was not stored */
WM_NODISCARD wm_status wm_zigbee_nwk_switch(wm_zigbee_nwk *nwk, uint8_t sequence);

WM_C_END

#endif
