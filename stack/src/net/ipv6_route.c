/* SPDX-License-Identifier: BSD-3-Clause */
/* Static routes: the longest prefix counts.
 *
 * References: RFC 4944 6 (the IID of a short address), RFC 4291 2.5.6 (link-local addresses). */
#include <wardmote/octets.h>
#include "ipv6_node.h"

#define SHORT_AT 14u
#define NO_NODES 0xFFFEu /* and above: short addresses of no single node (IEEE 802.15.4-2015 6.1) */

static const uint8_t link_local_of_short[SHORT_AT] = {0xFE, 0x80, 0, 0, 0,    0,    0,
                                                      0,    0,    0, 0, 0xFF, 0xFE, 0};

bool wm_ipv6_same_bits(const uint8_t *a, const uint8_t *b, uint8_t bits)
{
    uint8_t n, octets = bits / 8u, rest = bits % 8u;

    for (n = 0; n < octets; n++) {
        if (a[n] != b[n]) {
            return false;
        }
    }
    return rest == 0 || (a[octets] ^ b[octets]) >> (8u - rest) == 0;
}

bool wm_ipv6_next_hop(const wm_ipv6_node *node, const uint8_t to[WM_IPV6_ADDR_LEN], uint16_t *next)
{
    const wm_ipv6_route *best = NULL;
    uint8_t n;

    if (wm_ipv6_same_bits(to, link_local_of_short, 8u * SHORT_AT)) {
        *next = wm_load_be16(to + SHORT_AT);
        return *next < NO_NODES;
    }
    for (n = 0; n < node->route_count; n++) {
        const wm_ipv6_route *route = &node->routes[n];
        if (route->prefix <= 8u * WM_IPV6_ADDR_LEN &&
            (best == NULL || route->prefix > best->prefix) &&
            wm_ipv6_same_bits(to, route->to, route->prefix)) {
            best = route;
        }
    }
    if (best != NULL) {
        *next = best->next;
    }
    return best != NULL && best->next < NO_NODES;
}
