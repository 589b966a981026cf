/* SPDX-License-Identifier: BSD-3-Clause */
/* ICMPv6 errors: which packets may cause one, how many there may be, and what they look like.
 *
 * References: RFC 4443 2.4 (e) and (f) (when), 3 (form), 2.2 (source address). */
#include <wardmote/octets.h>
#include "../util/move.h"
#include "ipv6_node.h"

#define REDIRECT 137u /* RFC 4443 2.4 (e.2) */
#define FIRST_INFORMATION 128u
#define SRC_AT 8u
#define DST_AT 24u

/* A clock that goes on by an interval gives one error back; `errors_sent` never falls below 0. */
static bool may_send(wm_ipv6_node *node, uint32_t now)
{
    if (node->error_interval == 0) {
        return false;
    }
    while (node->errors_sent != 0 && now - node->error_since >= node->error_interval) {
        node->errors_sent--;
        node->error_since += node->error_interval;
    }
    if (node->errors_sent == 0) {
        node->error_since = now;
    }
    if (node->errors_sent >= WM_IPV6_ERROR_BURST) {
        return false;
    }
    node->errors_sent++;
    return true;
}

/* The protocol of the upper layer, and where it begins. 0 where headers pass the end. */
static uint16_t upper_layer(const wm_ipv6_taking *taking, uint8_t *protocol)
{
    uint16_t at = WM_IPV6_HEADER_LEN, step;

    *protocol = taking->packet[6];
    while ((step = wm_ipv6_extension_len(*protocol, taking->packet + at,
                                         (uint16_t)(taking->len - at))) != 0) {
        *protocol = taking->packet[at];
        at = (uint16_t)(at + step);
    }
    return at;
}

/* Errors and redirects cause no error. Of an ICMPv6 message whose type is not there nobody knows. */
static bool is_error(const wm_ipv6_taking *taking)
{
    uint8_t protocol;
    uint16_t at = upper_layer(taking, &protocol);

    if (protocol != WM_IPV6_ICMPV6) {
        return false;
    }
    return at >= taking->len || taking->packet[at] < FIRST_INFORMATION ||
           taking->packet[at] == REDIRECT;
}

bool wm_ipv6_is_nobody(const uint8_t *address)
{
    uint8_t seen = 0;

    for (uint8_t i = 0; i < WM_IPV6_ADDR_LEN - 1; i++) {
        seen |= address[i];
    }
    return (seen == 0 && address[WM_IPV6_ADDR_LEN - 1] <= 1) || address[0] == WM_IPV6_MULTICAST;
}

static bool may_cause(const wm_ipv6_taking *taking, const wm_icmpv6_error *error)
{
    bool to_many = taking->packet[DST_AT] == WM_IPV6_MULTICAST;
    bool for_many =
        error->type == WM_ICMPV6_TOO_BIG ||
        (error->type == WM_ICMPV6_PARAMETER_PROBLEM && error->code == WM_ICMPV6_BAD_OPTION);
    return !wm_ipv6_is_nobody(taking->packet + SRC_AT) && (!to_many || for_many) &&
           !is_error(taking);
}

bool wm_icmpv6_make_error(wm_ipv6_taking *taking, const wm_icmpv6_error *error)
{
    uint8_t *packet = taking->packet, *message = packet + WM_IPV6_HEADER_LEN;
    uint16_t room = taking->size < WM_IPV6_MTU_MIN ? taking->size : WM_IPV6_MTU_MIN;
    uint16_t front = WM_IPV6_HEADER_LEN + WM_ICMPV6_HEADER_LEN, quoted = taking->len;

    if (room < front + WM_IPV6_HEADER_LEN || !may_cause(taking, error) ||
        !may_send(taking->node, taking->now)) {
        return false;
    }
    if (quoted > room - front) {
        quoted = (uint16_t)(room - front);
    }
    wm_move(packet + front, packet, quoted);
    wm_ipv6_turn_round(taking, WM_IPV6_ICMPV6, (uint16_t)(WM_ICMPV6_HEADER_LEN + quoted));
    message[0] = error->type;
    message[1] = error->code;
    wm_store_be32(message + 4, error->value);
    wm_ipv6_put_checksum(packet, 2);
    return true;
}
