/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipv6_node.h
 *  What the files of the node share. */
#ifndef NET_IPV6_NODE_H
#define NET_IPV6_NODE_H

#include <wardmote/ipv6_node.h>

#define WM_ICMPV6_HEADER_LEN 8u
#define WM_IPV6_MULTICAST 0xFFu

/** A packet that is being taken. */
typedef struct wm_ipv6_taking {
    wm_ipv6_node *node;
    uint8_t *packet;
    uint16_t size, len;
    uint32_t now;
    bool to_all;        /**< its frame was for all */
    bool under_ipsec;   /**< it came under AH or ESP: an answer goes out so, or not at all */
    bool authenticated; /**< IPsec says who sent it */
} wm_ipv6_taking;

/** An ICMPv6 error that a packet causes. */
typedef struct wm_icmpv6_error {
    uint8_t type, code;
    uint32_t value; /**< pointer, MTU, or 0 */
} wm_icmpv6_error;

/** Puts the error in the place of the packet, if RFC 4443 2.4 allows one and not too many were sent.
 *  @retval false  none is to be sent */
bool wm_icmpv6_make_error(wm_ipv6_taking *taking, const wm_icmpv6_error *error);

/** Gives a packet whose payload lies behind its header the header of one that goes from the address
 *  that the packet was for to its sender. `payload` counts octets. */
void wm_ipv6_turn_round(wm_ipv6_taking *taking, uint8_t protocol, uint16_t payload);

/** Writes the checksum at `at` of the payload, which is behind the header. */
void wm_ipv6_put_checksum(uint8_t *packet, uint16_t at);

/** Whether an address is no other node's: unspecified, loopback (RFC 4291 2.5.3), or multicast. */
bool wm_ipv6_is_nobody(const uint8_t *address);

/** Whether the first `bits` bits are the same. */
bool wm_ipv6_same_bits(const uint8_t *a, const uint8_t *b, uint8_t bits);

#endif
