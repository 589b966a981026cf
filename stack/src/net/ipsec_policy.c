/* SPDX-License-Identifier: BSD-3-Clause */
/* Policies of IPsec: which one names a packet.
 * References: RFC 4301 §4.4.1. */
#include <wardmote/octets.h>
#include "ipsec_parts.h"

#define TCP 6u /* IANA */

/* What a policy can select by, besides the address. */
typedef struct selectors {
    uint16_t local_port, remote_port; /* of TCP and UDP */
    uint8_t protocol;
    uint8_t icmp; /* type of ICMPv6 */
} selectors;

static wm_status read_selectors(const wm_ipsec_map *map, bool received, selectors *found)
{
    const uint16_t left = (uint16_t)(map->end - map->upper.at);
    const uint8_t *upper = map->packet + map->upper.at, protocol = map->upper.next;
    *found = (selectors){.protocol = protocol};
    if (protocol == TCP || protocol == WM_IPV6_UDP) {
        if (left < 4) {
            return WM_ERR_MALFORMED;
        }
        found->local_port = wm_load_be16(upper + (received ? 2 : 0));
        found->remote_port = wm_load_be16(upper + (received ? 0 : 2));
    } else if (protocol == WM_IPV6_ICMPV6) {
        if (left == 0) {
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

/* A port of a policy, or a protocol; 0: any. */
static bool is(uint16_t wanted, uint16_t found)
{
    return wanted == 0 || wanted == found;
}

static bool names(const wm_ipsec_policy *policy, const selectors *packet)
{
    if (!is(policy->protocol, packet->protocol) || !is(policy->local_port, packet->local_port) ||
        !is(policy->remote_port, packet->remote_port)) {
        return false;
    }
    if (policy->icmp_first == 0 && policy->icmp_last == 0) {
        return true;
    }
    return packet->protocol == WM_IPV6_ICMPV6 && packet->icmp >= policy->icmp_first &&
           packet->icmp <= policy->icmp_last;
}

wm_status wm_ipsec_find_policy(const wm_ipsec *ipsec, const wm_ipsec_map *map, uint8_t remote_at,
                               const wm_ipsec_policy **policy)
{
    selectors found;
    const wm_ipsec_policy *next = ipsec->policies;
    wm_status status = read_selectors(map, remote_at == IPV6_SOURCE, &found);
    *policy = NULL;
    for (uint8_t left = ipsec->count; status == WM_OK && left != 0; left--, next++) {
        if (same_prefix(next->remote, map->packet + remote_at, next->prefix) &&
            names(next, &found)) {
            *policy = next;
            break;
        }
    }
    return status;
}
