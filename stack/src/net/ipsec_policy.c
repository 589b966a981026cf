/* SPDX-License-Identifier: BSD-3-Clause */
/* Policies of IPsec: which one names a packet.
 * References: RFC 4301 §4.4.1. */
#include <wardmote/octets.h>
#include "../util/compiler.h"
#include "ipsec_parts.h"

#define TCP 6u /* IANA */

/* What a policy can select by, besides the address. */
typedef struct selectors {
    uint16_t port[2]; /* of TCP and UDP: local, remote */
    uint8_t protocol;
    uint8_t icmp; /* type of ICMPv6 */
} selectors;

static wm_status read_selectors(const wm_ipsec_map *map, bool received, selectors *found)
{
    const uint16_t left = (uint16_t)(map->end - map->upper.at);
    const uint8_t *upper = map->packet + map->upper.at, protocol = map->upper.next;
    found->protocol = protocol;
    found->icmp = 0;
    found->port[0] = 0;
    found->port[1] = 0;
    if (protocol == WM_IPV6_AH || protocol == WM_IPV6_ESP) {
        return received ? WM_ERR_IMPROPER_SECURITY_LEVEL : WM_ERR_MALFORMED;
    }
    if (protocol == TCP || protocol == WM_IPV6_UDP) {
        if (left < 4) {
            return WM_ERR_MALFORMED;
        }
        found->port[received] = wm_load_be16(upper);
        found->port[!received] = wm_load_be16(upper + 2);
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
        uint8_t octet = *one++;
        WM_IN_TURN_MSP430(one);
        if (octet != *other++) {
            return false;
        }
        WM_IN_TURN_MSP430(other);
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
    if (!is(policy->protocol, packet->protocol) || !is(policy->local_port, packet->port[0]) ||
        !is(policy->remote_port, packet->port[1])) {
        return false;
    }
    if ((policy->icmp_first | policy->icmp_last) == 0) {
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
    if (status != WM_OK) {
        return status;
    }
    for (uint8_t left = ipsec->count; left != 0; left--, next++) {
        if (same_prefix(next->remote, map->packet + remote_at, next->prefix) &&
            names(next, &found)) {
            *policy = next;
            return next->action == WM_IPSEC_DISCARD ? WM_ERR_UNAVAILABLE_SECURITY_LEVEL : WM_OK;
        }
    }
    return WM_ERR_UNAVAILABLE_SECURITY_LEVEL;
}
