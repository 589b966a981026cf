/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipv6.h
 *  IPv6 packets in a flat buffer (RFC 8200): the header as values, the length of an extension
 *  header, and the checksum of the layers above. Every length is in octets. */
#ifndef WARDMOTE_IPV6_H
#define WARDMOTE_IPV6_H

#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_IPV6_HEADER_LEN 40 /**< octets of the header */
#define WM_IPV6_MTU_MIN 1280  /**< octets that every link carries: RFC 8200 5 */
#define WM_IPV6_ADDR_LEN 16   /**< octets of an address */
#define WM_UDP_HEADER_LEN 8   /**< octets of a UDP header: RFC 768 */

/** @name Next Header
 *  The numbers of IANA's protocol registry that the stack knows.
 *  @{ */
#define WM_IPV6_HOP_BY_HOP 0
#define WM_IPV6_UDP 17
#define WM_IPV6_IPV6 41 /**< a packet in a packet */
#define WM_IPV6_ROUTING 43
#define WM_IPV6_FRAGMENT 44
#define WM_IPV6_ESP 50
#define WM_IPV6_AH 51
#define WM_IPV6_ICMPV6 58
#define WM_IPV6_NO_NEXT 59
#define WM_IPV6_DESTINATION 60
#define WM_IPV6_MOBILITY 135
/** @} */

/** The IPv6 header as values (RFC 8200 3). */
typedef struct wm_ipv6_header {
    uint32_t flow_label;   /**< 20 bits */
    uint16_t payload_len;  /**< octets behind the header */
    uint8_t traffic_class; /**< DSCP in bits 7..2, ECN in bits 1..0 */
    uint8_t next_header;   /**< WM_IPV6_..., or another number */
    uint8_t hop_limit;
    uint8_t src[WM_IPV6_ADDR_LEN];
    uint8_t dst[WM_IPV6_ADDR_LEN];
} wm_ipv6_header;

/** Reads the header of a packet of `len` octets. Octets may stand behind the packet.
 *  @retval WM_ERR_MALFORMED  shorter than a header or than Payload Length says, or another version
 */
WM_NODISCARD wm_status wm_ipv6_parse(const uint8_t *packet, uint16_t len, wm_ipv6_header *header);

/** Writes the header. Bits of the flow label above the 20th are left out. */
void wm_ipv6_build(const wm_ipv6_header *header, uint8_t out[WM_IPV6_HEADER_LEN]);

/** Octets of the extension header `protocol` that begins at `at`, where `left` octets are: a
 *  multiple of 8 (of 4 with AH). 0: `protocol` is no extension header that has a length of its own
 *  (ESP has none), or the header passes the end. Its first octet is the next header. */
uint16_t wm_ipv6_extension_len(uint8_t protocol, const uint8_t *at, uint16_t left);

/** The checksum of UDP and ICMPv6 over the pseudo-header and `len` octets at `data` (RFC 8200 8.1).
 *  With a checksum of 0 in place it is what to send; with the received one in place it is 0 if that
 *  one is right. UDP sends 0xFFFF where this is 0. `dst` is the address of the final destination.
 */
uint16_t wm_ipv6_checksum(const uint8_t src[WM_IPV6_ADDR_LEN], const uint8_t dst[WM_IPV6_ADDR_LEN],
                          uint8_t protocol, const uint8_t *data, uint16_t len);

WM_C_END

#endif
