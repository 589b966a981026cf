/* SPDX-License-Identifier: BSD-3-Clause */
/* Policies of IPsec: which one names a packet.
 * References: RFC 4301 §4.4.1. */
#include <wardmote/octets.h>
#include "ipsec_parts.h"

#define TCP 6u /* IANA */

/* What a policy can select by, besides the address. */
typedef struct selectors {
    uint8_t protocol;
    uint16_t local_port, remote_port; /* of TCP and UDP */
    uint8_t icmp;                     /* type of ICMPv6 */
} selectors;

static wm_status read_selectors(const uint8_t *packet, const wm_ipsec_map *map, bool received,
                                selectors *found)
{
    const uint16_t left = (uint16_t)(map->end - map->upper.at);
    const uint8_t *upper = packet + map->upper.at;
    *found = (selectors){.protocol = map->upper.next};
    if (found->protocol == TCP || found->protocol == WM_IPV6_UDP) {
        if (left < 4) {
            return WM_ERR_MALFORMED;
        }
        found->local_port = wm_load_be16(upper + (received ? 2 : 0));
        found->remote_port = wm_load_be16(upper + (received ? 0 : 2));
    } else if (found->protocol == WM_IPV6_ICMPV6) {
        if (left < 1) {
            return WM_ERR_MALFORMED;
        }
        found->icmp = upper[0];
    }
    return WM_OK;
}

static bool same_prefix(const uint8_t *one, const uint8_t *other, uint8_t bits)
{
    for (; bits >= 8; bits = (uint8_t)(bits - 8)) {
        if (*one++ != *other++) {
            return false;
        }
    }
    return bits == 0 || (uint8_t)(*one ^ *other) >> (8 - bits) == 0;
}

/* A port of a policy, 0 being any. */
static bool same_port(uint16_t wanted, uint16_t port)
{
    return wanted == 0 || wanted == port;
}

static bool names(const wm_ipsec_policy *policy, const uint8_t *remote, const selectors *packet)
{
    const bool any_icmp = policy->icmp_first == 0 && policy->icmp_last == 0;
    return same_prefix(policy->remote, remote, policy->prefix) &&
           (policy->protocol == 0 || policy->protocol == packet->protocol) &&
           same_port(policy->local_port, packet->local_port) &&
           same_port(policy->remote_port, packet->remote_port) &&
           (any_icmp || (packet->protocol == WM_IPV6_ICMPV6 && packet->icmp >= policy->icmp_first &&
                         packet->icmp <= policy->icmp_last));
}

wm_status wm_ipsec_find_policy(const wm_ipsec *ipsec, const uint8_t *packet,
                               const wm_ipsec_map *map, uint16_t remote_at,
                               const wm_ipsec_policy **policy)
{
    selectors found;
    wm_status status = read_selectors(packet, map, remote_at == IPV6_SOURCE, &found);
    *policy = NULL;
    for (uint8_t i = 0; status == WM_OK && i < ipsec->count; i++) {
        if (names(ipsec->policies + i, packet + remote_at, &found)) {
            *policy = ipsec->policies + i;
            break;
        }
    }
    return status;
}
