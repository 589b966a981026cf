/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lowpan.h
 *  6LoWPAN: headers of IPv6 packets compressed and expanded (RFC 6282: LOWPAN_IPHC and
 *  LOWPAN_NHC). A packet lies in a flat buffer, and its payload is never moved by compression:
 *  what follows the headers is the same octets in both forms. Every length is in octets.
 *
 *  LOWPAN_NHC covers UDP, the extension headers of EID 0 to 4, IPv6 in IPv6 (EID 7), and, where
 *  both sides agreed to it, AH and ESP. Headers may follow one another in any number. */
#ifndef WARDMOTE_LOWPAN_H
#define WARDMOTE_LOWPAN_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ipv6.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_LOWPAN_CONTEXTS 16 /**< contexts that a table may have */

/** A link-layer address as IIDs are made of it (RFC 6282 3.2.2), most significant octet first: 8
 *  octets (EUI-64), 2 (short), or none. */
typedef struct wm_lowpan_addr {
    uint8_t octet[8];
    uint8_t len; /**< 0, 2 or 8 */
} wm_lowpan_addr;

/** Addresses of the frame that carries a packet. */
typedef struct wm_lowpan_link {
    wm_lowpan_addr src;
    wm_lowpan_addr dst;
} wm_lowpan_link;

/** A context: a prefix that both sides know. Its number is its place in the table. */
typedef struct wm_lowpan_context {
    uint8_t prefix[WM_IPV6_ADDR_LEN]; /**< bits behind prefix_len are not looked at */
    uint8_t prefix_len;               /**< bits, 1..128; 0: there is no such context */
    bool expand_only;                 /**< not for compression (RFC 6775 4.2: C is 0) */
} wm_lowpan_context;

/** How AH and ESP are compressed. No RFC says it, and IANA has not assigned EIDs 5 and 6: all nodes
 *  of a network, and its border router, have to agree. */
typedef enum wm_lowpan_ipsec_layout {
    WM_LOWPAN_IPSEC_NONE = 0,  /**< not: they are sent as they are, and EIDs 5 and 6 refused */
    WM_LOWPAN_IPSEC_PAPER = 1, /**< Raza et al. 2011: 1101 PL SPI SN NH */
    WM_LOWPAN_IPSEC_DRAFT = 2  /**< draft-raza-6lo-ipsec: 1101 SPI(2) SN(2) */
} wm_lowpan_ipsec_layout;

/** What a network has agreed on. */
typedef struct wm_lowpan {
    const wm_lowpan_context *contexts; /**< may be NULL when there are none */
    uint8_t context_count;             /**< 0..WM_LOWPAN_CONTEXTS */
    uint8_t ipsec;                     /**< wm_lowpan_ipsec_layout */
    /** Payload Length of an AH that is left out; 0 means 4, an ICV of 12 octets */
    uint8_t ah_len;
} wm_lowpan;

/** How far compression came. */
typedef struct wm_lowpan_headers {
    uint16_t packet;     /**< octets of the packet that the compressed headers stand for */
    uint16_t compressed; /**< octets of the compressed headers */
} wm_lowpan_headers;

/** Writes the compressed headers of `packet` into `out` of `size` octets, in the shortest form that
 *  there is; of two of the same length the one with fewer LOWPAN_NHC headers, and the one without
 *  a context. The payload of the frame is then `done->compressed` octets of `out`, and the octets
 *  of the packet behind `done->packet`. Expanding gives every octet of the packet again.
 *
 *  `elide_checksum` says that the upper layer allows the UDP checksum to be left out (RFC 6282
 *  4.3.2). It is left out only where the other side can compute the same one: not if it is wrong,
 *  nor behind a routing or fragment header.
 *  @retval WM_ERR_PARAM           not one whole IPv6 packet of `len` octets, or a `net` that is none
 *  @retval WM_ERR_FRAME_TOO_LONG  `size` too small: `out` holds anything */
WM_NODISCARD wm_status wm_lowpan_compress(const wm_lowpan *net, const wm_lowpan_link *link,
                                          const uint8_t *packet, uint16_t len, bool elide_checksum,
                                          uint8_t *out, uint16_t size, wm_lowpan_headers *done);

/** What expansion gave. */
typedef struct wm_lowpan_expanded {
    uint16_t len;   /**< octets of the packet in the buffer */
    uint16_t total; /**< octets of the whole packet; more than `len` in a first fragment */
    /** where the UDP header begins whose checksum is missing until the packet is whole; 0: none */
    uint16_t udp;
    uint16_t ip; /**< where the IPv6 header begins that UDP header belongs to */
} wm_lowpan_expanded;

/** Expands what a frame carries, headers and payload, into `out` of `size` octets: `in` begins with
 *  the dispatch octet of LOWPAN_IPHC or of an uncompressed IPv6 packet. `datagram_size` is that of
 *  a first fragment, whose fragment header is not part of `in`; 0: the packet is whole. Lengths are
 *  restored, and so is a UDP checksum that was left out, when the packet is whole. A payload behind
 *  the compressed headers is not looked at. `in` and `out` must not overlap.
 *  @retval WM_ERR_MALFORMED       cut, a reserved form, an IID of a link address that is not there,
 *                                 or longer than `datagram_size`
 *  @retval WM_ERR_NOT_FOR_US      another dispatch, or a context that is not in the table
 *  @retval WM_ERR_FRAME_TOO_LONG  the whole packet does not fit `size`
 *  @retval WM_ERR_PARAM           a `net` that is none
 *
 *  After a refusal `out` holds anything. */
WM_NODISCARD wm_status wm_lowpan_expand(const wm_lowpan *net, const wm_lowpan_link *link,
                                        const uint8_t *in, uint16_t in_len, uint16_t datagram_size,
                                        uint8_t *out, uint16_t size, wm_lowpan_expanded *expanded);

/** Writes the UDP checksum that expansion of a first fragment had to leave out, when all octets of
 *  the packet are there. It does nothing if none was left out. */
void wm_lowpan_finish(uint8_t *packet, const wm_lowpan_expanded *expanded);

/** What LOWPAN_IPHC said at the beginning of what a frame carries. */
typedef struct wm_lowpan_front {
    uint16_t len; /**< its octets */
    bool nh;      /**< LOWPAN_NHC follows */
} wm_lowpan_front;

/** Expands LOWPAN_IPHC alone, of a packet in one frame: enough to know where the packet goes.
 *  @param ip  40 octets of an IPv6 header, whose Payload Length is 0, and whose Next Header is anything
 *             if LOWPAN_NHC follows
 *  @retval WM_ERR_MALFORMED, WM_ERR_NOT_FOR_US, WM_ERR_PARAM  as wm_lowpan_expand; an uncompressed
 *          packet is not for us either */
WM_NODISCARD wm_status wm_lowpan_read_front(const wm_lowpan *net, const wm_lowpan_link *link,
                                            const uint8_t *in, uint16_t in_len, uint8_t ip[40],
                                            wm_lowpan_front *front);

/** Expands what is behind LOWPAN_IPHC of a packet in one frame: wm_lowpan_expand, of a packet whose IPv6
 *  header wm_lowpan_read_front has put at `out`. */
WM_NODISCARD wm_status wm_lowpan_expand_rest(const wm_lowpan *net, const wm_lowpan_front *front,
                                             const uint8_t *in, uint16_t in_len, uint8_t *out,
                                             uint16_t size, wm_lowpan_expanded *expanded);

/** Writes what a relay sends of such a packet: its IPv6 header, in which Hop Limit may have become
 *  another, compressed for the addresses of `link`; then what follows LOWPAN_IPHC of `in`, as it came.
 *  So what is behind the IPv6 header costs a relay no more than its octets, whatever headers there
 *  are. The addresses must be those that were read: headers behind may rest on them.
 *  @param len  octets of `out`, which does not overlap with `in`
 *  @retval WM_ERR_FRAME_TOO_LONG  over `size`: expand the packet, and send it in fragments
 *  @retval WM_ERR_PARAM           a `net` that is none, or a `front` of more octets than `in` */
WM_NODISCARD wm_status wm_lowpan_write_front(const wm_lowpan *net, const wm_lowpan_link *link,
                                             const uint8_t ip[40], const wm_lowpan_front *front,
                                             const uint8_t *in, uint16_t in_len, uint8_t *out,
                                             uint16_t size, uint16_t *len);

WM_C_END

#endif
