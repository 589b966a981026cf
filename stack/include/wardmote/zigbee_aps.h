/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee_aps.h
 *  APS security of ZigBee PRO (05-3474-22 4.4.1): two nodes that share a link key, end to end. It is
 *  where network keys come from: a Transport-Key command under a key made from the link key.
 *
 *      APS header 2.. | auxiliary header 5 or 13 | payload, encrypted | MIC 4
 *
 *  A frame names its kind of key, never the key itself: the link with the node that sent it has it.
 *
 *      static wm_zigbee_link links[] = {{.address = {0x00, 0x12, 0x4b, ...},
 *                                        .data = &link_key.cipher, .transport = &transport.cipher,
 *                                        .load = &load.cipher, .counter = &slots[1].counter}};
 *      static wm_zigbee_aps aps = {.address = {...}, .counter = &slots[0].counter,
 *                                  .links = links, .count = 1};
 *      status = wm_zigbee_aps_start(&aps);
 *
 *  All zero, a wm_zigbee_aps accepts nothing. Which kind of key secures a frame follows from what it
 *  is: the key-transport key a Transport-Key command with a network key, the key-load key one with a
 *  link key, the link key all else. A frame under another kind is refused. */
#ifndef WARDMOTE_ZIGBEE_APS_H
#define WARDMOTE_ZIGBEE_APS_H

#include <wardmote/cipher.h>
#include <wardmote/counter.h>
#include <wardmote/linkage.h>
#include <wardmote/zigbee.h>

WM_C_BEGIN

/** Frame Type of an APS frame. */
typedef enum wm_zigbee_aps_type {
    WM_ZIGBEE_APS_DATA = 0,
    WM_ZIGBEE_APS_COMMAND = 1,
    WM_ZIGBEE_APS_ACK = 2
} wm_zigbee_aps_type;

/** Delivery Mode. */
typedef enum wm_zigbee_aps_delivery {
    WM_ZIGBEE_APS_UNICAST = 0,
    WM_ZIGBEE_APS_BROADCAST = 2,
    WM_ZIGBEE_APS_GROUP = 3
} wm_zigbee_aps_delivery;

/** APS header as values (2.2.5.1). */
typedef struct wm_zigbee_aps_header {
    uint8_t type, delivery; /**< wm_zigbee_aps_type, wm_zigbee_aps_delivery */
    bool secured, ack_request;
    bool endpoints_present; /**< commands, and acks of commands, have none of the next five */
    uint8_t dst_endpoint;   /**< with WM_ZIGBEE_APS_GROUP 0 */
    uint8_t src_endpoint;
    uint16_t group; /**< with WM_ZIGBEE_APS_GROUP, else 0 */
    uint16_t cluster, profile;
    uint8_t counter;       /**< APS counter, 8 bits: nothing to do with security */
    uint8_t fragmentation; /**< 0: the frame is whole; 1: the first fragment; 2: a later one */
    uint8_t block;         /**< of a fragment: how many there are, or which this is */
    uint8_t len;           /**< octets without auxiliary header */
} wm_zigbee_aps_header;

/** Reads the header of an APS frame of `len` octets, secured or not: what a NWK data frame carries.
 *  @retval WM_ERR_MALFORMED    too short for its own fields, or with a reserved value
 *  @retval WM_ERR_NOT_FOR_US   an inter-PAN frame */
WM_NODISCARD wm_status wm_zigbee_aps_parse(const uint8_t *frame, uint8_t len,
                                           wm_zigbee_aps_header *header);

/** Another node, and the keys that it shares with this one. */
typedef struct wm_zigbee_link {
    /** all ones: whoever sends the first frame that is right under these keys. It then has that
     *  node's address. A node that joins and does not yet know its Trust Center needs it */
    uint8_t address[8];
    const wm_cipher *data;      /**< the link key. NULL: there is none */
    const wm_cipher *transport; /**< its key-transport key (zigbee_keys.h). NULL likewise */
    const wm_cipher *load;      /**< its key-load key. NULL likewise */
    /** where `next` survives a reset. NULL: it does not, and after a reset frames that were heard
     *  before it are accepted again, once */
    wm_counter *counter;
    uint32_t next; /**< its own: least counter that is accepted */
} wm_zigbee_link;

/** One node's APS security. Set it to zeros, set the members you need, then call
 *  wm_zigbee_aps_start. */
typedef struct wm_zigbee_aps {
    uint8_t address[8];  /**< the node's own */
    wm_counter *counter; /**< of all frames that it secures, under whatever link key. No other node
                              or layer has the same */
    wm_zigbee_link *links;
    uint8_t count; /**< of `links` */
    uint8_t level; /**< 1..7; 0: WM_ZIGBEE_LEVEL_USUAL. At level 4 nothing is authenticated */
    /** frames without APS security are answered with WM_NOT_SECURED: NWK security alone protects
     *  them. Transport-Key, Remove-Device, Request-Key and Confirm-Key are refused even so */
    bool accept_clear;
    bool ignore_level_bits; /**< as in wm_zigbee_nwk */
    bool started;           /**< its own */
    uint32_t next;          /**< its own: counter of the next frame */
} wm_zigbee_aps;

/** Takes the counters out of their stores. Call it after the stores were opened, and before any
 *  frame.
 *  @retval WM_ERR_PARAM     the level is over 7
 *  @retval WM_ERR_NO_STORE  there is no counter, or one of zeros. After each, every frame is refused */
WM_NODISCARD wm_status wm_zigbee_aps_start(wm_zigbee_aps *aps);

/** The link has other keys now: the other node counts from 0 again. Store the new key first, where
 *  it outlives a reset, and set the members that hold keys.
 *  @retval WM_ERR_STORAGE  the counter could not be stored: the link accepts nothing */
WM_NODISCARD wm_status wm_zigbee_link_renew(wm_zigbee_link *link);

/** Secures a frame in place: `frame` has `size` octets of room and `*len` octets in clear, its
 *  Security bit 0. At level 5 it has 9 octets more, with `say_source` 17. The counter is used up
 *  when this returns WM_OK.
 *  @param to          address of the other node
 *  @param say_source  Extended Nonce: the frame has this node's address. Needed where the receiver
 *                     cannot find it by the network address, as when it joins
 *  @retval WM_ERR_PARAM              Security is 1 already, or it is for more than one node
 *  @retval WM_ERR_FRAME_TOO_LONG     over `size`
 *  @retval WM_ERR_UNAVAILABLE_DEVICE no link with that node
 *  @retval WM_ERR_UNAVAILABLE_KEY    the link has no such key, or wm_zigbee_aps_start was not
 *                                    called
 *  @retval WM_ERR_STATE              the key was wiped, or the counter's store opened anew since
 *  @retval WM_ERR_COUNTER            all counters are used
 *  @retval WM_ERR_STORAGE            the counter could not be kept
 *  @retval others                    of wm_zigbee_aps_parse; WM_ERR_MALFORMED also of a command
 *                                    that is not all there. After each so far the frame is as it was
 *  @retval WM_ERR_ENGINE             the cipher failed: the frame is all zero, with `*len` as it
 *                                    was */
WM_NODISCARD wm_status wm_zigbee_aps_secure(wm_zigbee_aps *aps, const uint8_t to[8],
                                            bool say_source, uint8_t *frame, uint8_t size,
                                            uint8_t *len);

/** What a frame that was accepted tells. */
typedef struct wm_zigbee_aps_incoming {
    wm_zigbee_aps_header header;
    wm_zigbee_aux aux; /**< of a secured frame; `source` is set in any case */
    uint8_t link;      /**< of a secured frame: index of the link */
} wm_zigbee_aps_incoming;

/** Unsecures a received frame in place: decrypts, takes auxiliary header and MIC out, sets Security
 *  to 0; `*len` shrinks by them. Statuses in the order of the checks:
 *  @param from  address of the node that sent the NWK frame; NULL: it is not known. The auxiliary
 *               header's counts where it has one
 *  @retval WM_OK                 the node at aux.source secured this frame
 *  @retval WM_NOT_SECURED        it came in clear, and `accept_clear` has it
 *  @retval WM_NOT_AUTHENTICATED  level 4: it was decrypted, and anybody may have written it. No
 *                                counter moves
 *
 *  @retval WM_ERR_MALFORMED, WM_ERR_NOT_FOR_US  of wm_zigbee_aps_parse, or no room for auxiliary
 *                                header and MIC
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  it came in clear; or its level bits are set
 *  @retval WM_ERR_IMPROPER_KEY_TYPE        a network key; or a key-transport or key-load key that
 *                                          secures no command
 *  @retval WM_ERR_UNAVAILABLE_DEVICE       who sent it is not known, or there is no link with it
 *  @retval WM_ERR_COUNTER                  all ones, or this node has used it, or our own frame that
 *                                          somebody sends back
 *  @retval WM_ERR_UNAVAILABLE_KEY          the link has no such key
 *  @retval WM_ERR_STATE                    the key was wiped. After each so far the frame is as it
 *                                          was
 *  @retval WM_ERR_SECURITY, WM_ERR_ENGINE, WM_ERR_STORAGE  the MIC is wrong, the cipher failed, the
 *                                counter could not be kept: all behind the APS header is zero. So
 *                                it is with WM_ERR_IMPROPER_KEY_TYPE where the MIC is right, but
 *                                another kind of key secures such a command. On every error `*len`
 *                                and all counters stay */
WM_NODISCARD wm_status wm_zigbee_aps_unsecure(wm_zigbee_aps *aps, const uint8_t *from,
                                              uint8_t *frame, uint8_t *len,
                                              wm_zigbee_aps_incoming *incoming);

WM_C_END

#endif
