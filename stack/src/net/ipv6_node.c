/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that come over the link: for others, for this node, and what answers them.
 *
 * References: RFC 8200 3, 4 (headers, options), RFC 4443 (ICMPv6), RFC 768 (UDP), RFC 4301 5.2 and
 * 5.1 (the policy is asked about what comes in, and what goes out). */
#include "../util/move.h"
#include "ipv6_node.h"
#include <wardmote/octets.h>

#define SRC_AT 8u
#define DST_AT 24u
#define LEN_AT 4u
#define NEXT_AT 6u
#define HOPS_AT 7u
#define OPTION_PAD1 0u
#define OPTION_PADN 1u

/* ff02::1 (RFC 4291 2.7.1) */
static const uint8_t all_nodes[WM_IPV6_ADDR_LEN] = {0xFF, 2, [15] = 1};

void wm_ipv6_put_checksum(uint8_t *packet, uint16_t at)
{
    uint8_t *payload = packet + WM_IPV6_HEADER_LEN;
    uint16_t sum;

    wm_store_be16(payload + at, 0);
    sum = wm_ipv6_checksum(packet + SRC_AT, packet + DST_AT, packet[NEXT_AT], payload,
                           wm_load_be16(packet + LEN_AT));
    if (sum == 0 && packet[NEXT_AT] == WM_IPV6_UDP) {
        sum = 0xFFFF;
    }
    wm_store_be16(payload + at, sum);
}

static bool same_address(const uint8_t *a, const uint8_t *b)
{
    return wm_ipv6_same_bits(a, b, 8u * WM_IPV6_ADDR_LEN);
}

bool wm_ipv6_is_own(const wm_ipv6_node *node, const uint8_t *address)
{
    return same_address(address, node->address) || same_address(address, node->link_local);
}

/* Errors of a relay, and answers to what was sent to all, have the node's own address: the one of the
 * scope of the other side. */
void wm_ipv6_turn_round(wm_ipv6_taking *taking, uint8_t protocol, uint16_t payload)
{
    const wm_ipv6_node *node = taking->node;
    wm_ipv6_header header = {
        .next_header = protocol, .payload_len = payload, .hop_limit = WM_IPV6_HOP_LIMIT};
    const uint8_t *src = node->address;

    wm_move(header.dst, taking->packet + SRC_AT, WM_IPV6_ADDR_LEN);
    if (header.dst[0] == 0xFE && (header.dst[1] & 0xC0u) == 0x80) {
        src = node->link_local;
    }
    if (wm_ipv6_is_own(node, taking->packet + DST_AT)) {
        src = taking->packet + DST_AT;
    }
    wm_move(header.src, src, WM_IPV6_ADDR_LEN);
    wm_ipv6_build(&header, taking->packet);
    taking->len = (uint16_t)(WM_IPV6_HEADER_LEN + payload);
}

/* Secures what this node sends, as its policy has it. */
static wm_status secure(const wm_ipv6_node *node, uint8_t *packet, uint16_t size, uint16_t *len)
{
    if (node->secure == NULL) {
        return node->unsecure == NULL && node->ipsec == NULL ? WM_NOT_SECURED
                                                             : WM_ERR_UNAVAILABLE_SECURITY_LEVEL;
    }
    return node->secure(node->ipsec, packet, size, len);
}

/* The answer that lies in the packet's place goes out, if its policy, its size and a route let it. */
static wm_ipv6_verdict answer(wm_ipv6_taking *taking, uint16_t *next)
{
    wm_ipv6_node *node = taking->node;
    wm_status status = secure(node, taking->packet, taking->size, &taking->len);

    if (status < 0 || (taking->under_ipsec && status != WM_OK) || taking->len > node->mtu ||
        !wm_ipv6_next_hop(node, taking->packet + DST_AT, next)) {
        return WM_IPV6_DROPPED;
    }
    return WM_IPV6_ANSWER;
}

static wm_ipv6_verdict answer_error(wm_ipv6_taking *taking, uint8_t type, uint8_t code,
                                    uint32_t value, uint16_t *next)
{
    wm_icmpv6_error error = {type, code, value};
    return wm_icmpv6_make_error(taking, &error) ? answer(taking, next) : WM_IPV6_DROPPED;
}

/* Whether one of its addresses is of one link: it stays there (RFC 4291 2.5.6). */
static bool of_one_link(const uint8_t *packet)
{
    return (packet[DST_AT] == 0xFE && (packet[DST_AT + 1u] & 0xC0u) == 0x80) ||
           (packet[SRC_AT] == 0xFE && (packet[SRC_AT + 1u] & 0xC0u) == 0x80);
}

bool wm_ipv6_passes(const wm_ipv6_node *node, const uint8_t header[WM_IPV6_HEADER_LEN], bool to_all,
                    uint16_t *next)
{
    return !to_all && !wm_ipv6_is_own(node, header + DST_AT) && /* most often, at its end */
           !wm_ipv6_is_nobody(header + SRC_AT) && !wm_ipv6_is_nobody(header + DST_AT) &&
           !wm_ipv6_is_own(node, header + SRC_AT) && header[HOPS_AT] > 1 && !of_one_link(header) &&
           wm_ipv6_next_hop(node, header + DST_AT, next);
}

/* A packet for somebody else. */
static wm_ipv6_verdict forward(wm_ipv6_taking *taking, uint16_t *next)
{
    uint8_t *packet = taking->packet;

    if (taking->to_all || wm_ipv6_is_nobody(packet + DST_AT)) {
        return WM_IPV6_DROPPED;
    }
    if (packet[HOPS_AT] <= 1) {
        return answer_error(taking, WM_ICMPV6_TIME_EXCEEDED, 0, 0, next);
    }
    if (of_one_link(packet)) {
        return answer_error(taking, WM_ICMPV6_UNREACHABLE, WM_ICMPV6_BEYOND_SCOPE, 0, next);
    }
    if (!wm_ipv6_next_hop(taking->node, packet + DST_AT, next)) {
        return answer_error(taking, WM_ICMPV6_UNREACHABLE, WM_ICMPV6_NO_ROUTE, 0, next);
    }
    if (taking->len > taking->node->mtu) {
        return answer_error(taking, WM_ICMPV6_TOO_BIG, 0, taking->node->mtu, next);
    }
    packet[HOPS_AT]--;
    return WM_IPV6_FORWARD;
}

static wm_ipv6_verdict take_icmpv6(wm_ipv6_taking *taking, uint16_t at, uint16_t *next)
{
    uint8_t *packet = taking->packet;
    uint16_t octets = (uint16_t)(taking->len - at);

    if (octets < WM_ICMPV6_HEADER_LEN ||
        wm_ipv6_checksum(packet + SRC_AT, packet + DST_AT, WM_IPV6_ICMPV6, packet + at, octets) !=
            0) {
        return WM_IPV6_DROPPED;
    }
    if (packet[at] != WM_ICMPV6_ECHO_REQUEST) {
        return WM_IPV6_TAKEN;
    }
    wm_move(packet + WM_IPV6_HEADER_LEN, packet + at, octets);
    wm_ipv6_turn_round(taking, WM_IPV6_ICMPV6, octets);
    packet[WM_IPV6_HEADER_LEN] = WM_ICMPV6_ECHO_REPLY;
    packet[WM_IPV6_HEADER_LEN + 1u] = 0;
    wm_ipv6_put_checksum(packet, 2);
    return answer(taking, next);
}

/* Ports, length and checksum of UDP in front of `octets` of data. */
static void put_udp(uint8_t *packet, uint16_t src_port, uint16_t dst_port, uint16_t octets)
{
    uint8_t *udp = packet + WM_IPV6_HEADER_LEN;

    wm_store_be16(udp, src_port);
    wm_store_be16(udp + 2, dst_port);
    wm_store_be16(udp + 4, (uint16_t)(WM_UDP_HEADER_LEN + octets));
    wm_ipv6_put_checksum(packet, 6);
}

/* A checksum of 0 is none, which IPv6 does not allow (RFC 8200 8.1). What stands behind the datagram's
 * own length is nobody's. */
static bool udp_is_right(const uint8_t *packet, uint16_t at, uint16_t octets)
{
    const uint8_t *udp = packet + at;
    uint16_t len;

    if (octets < WM_UDP_HEADER_LEN) {
        return false;
    }
    len = wm_load_be16(udp + 4);
    return len >= WM_UDP_HEADER_LEN && len <= octets && wm_load_be16(udp + 6) != 0 &&
           wm_ipv6_checksum(packet + SRC_AT, packet + DST_AT, WM_IPV6_UDP, udp, len) == 0;
}

static wm_ipv6_verdict take_udp(wm_ipv6_taking *taking, uint16_t at, uint16_t *next)
{
    wm_ipv6_node *node = taking->node;
    uint8_t *packet = taking->packet, *udp = packet + at;
    uint16_t front = WM_IPV6_HEADER_LEN + WM_UDP_HEADER_LEN;
    wm_udp_verdict verdict = WM_UDP_NO_PORT;
    wm_udp_datagram datagram;

    if (!udp_is_right(packet, at, (uint16_t)(taking->len - at))) {
        return WM_IPV6_DROPPED;
    }
    datagram.src = packet + SRC_AT;
    datagram.dst = packet + DST_AT;
    datagram.src_port = wm_load_be16(udp);
    datagram.dst_port = wm_load_be16(udp + 2);
    datagram.data = udp + WM_UDP_HEADER_LEN;
    datagram.len = (uint16_t)(wm_load_be16(udp + 4) - WM_UDP_HEADER_LEN);
    datagram.room = (uint16_t)(taking->size - at - WM_UDP_HEADER_LEN);
    datagram.secured = taking->authenticated;
    if (node->udp != NULL) {
        verdict = node->udp(node->context, &datagram);
    }
    if (verdict == WM_UDP_NO_PORT) {
        return answer_error(taking, WM_ICMPV6_UNREACHABLE, WM_ICMPV6_NO_PORT, 0, next);
    }
    if (verdict != WM_UDP_ANSWER || packet[DST_AT] == WM_IPV6_MULTICAST || datagram.src_port == 0 ||
        datagram.len > datagram.room) {
        return WM_IPV6_TAKEN;
    }
    wm_move(packet + front, datagram.data, datagram.len);
    wm_ipv6_turn_round(taking, WM_IPV6_UDP, (uint16_t)(WM_UDP_HEADER_LEN + datagram.len));
    put_udp(packet, datagram.dst_port, datagram.src_port, datagram.len);
    return answer(taking, next);
}

/* What to do about the options of a header of `len` octets at `at`: 0, go on; 1, drop the packet; else
 * where the option stands that an error is to tell of. The two upper bits of an option that is not
 * known say it (RFC 8200 4.2). */
static uint16_t bad_option(const wm_ipv6_taking *taking, uint16_t at, uint16_t len)
{
    uint16_t end = (uint16_t)(at + len);

    for (at = (uint16_t)(at + 2u); at < end;) {
        uint8_t type = taking->packet[at];
        if (type == OPTION_PAD1) {
            at++;
            continue;
        }
        if (end - at < 2 || taking->packet[at + 1u] > end - at - 2) {
            return 1;
        }
        if (type != OPTION_PADN && type >> 6 != 0) {
            bool many = taking->packet[DST_AT] == WM_IPV6_MULTICAST;
            return type >> 6 == 1 || (type >> 6 == 3 && many) ? 1 : at;
        }
        at = (uint16_t)(at + 2u + taking->packet[at + 1u]);
    }
    return 0;
}

/* Whether the packet goes on behind the extension header at `at`; else `*verdict` is what becomes of
 * it. A routing header that has arrived says nothing more (RFC 8200 4.4). */
static bool pass_extension(wm_ipv6_taking *taking, uint8_t protocol, uint16_t at, uint16_t len,
                           wm_ipv6_verdict *verdict, uint16_t *next)
{
    if (protocol == WM_IPV6_ROUTING) {
        if (taking->packet[at + 3u] == 0) {
            return true;
        }
        *verdict =
            answer_error(taking, WM_ICMPV6_PARAMETER_PROBLEM, WM_ICMPV6_BAD_FIELD, at + 2u, next);
        return false;
    }
    uint16_t option = bad_option(taking, at, len);
    if (option > 1) {
        *verdict =
            answer_error(taking, WM_ICMPV6_PARAMETER_PROBLEM, WM_ICMPV6_BAD_OPTION, option, next);
    }
    return option == 0;
}

static bool has_options(uint8_t protocol)
{
    return protocol == WM_IPV6_HOP_BY_HOP || protocol == WM_IPV6_ROUTING ||
           protocol == WM_IPV6_DESTINATION;
}

/* A packet for this node, in clear: header by header. `named_at` is where the next header's number
 * stands. Hop-by-hop options come first or not at all. */
static wm_ipv6_verdict take(wm_ipv6_taking *taking, uint16_t *next)
{
    uint16_t at = WM_IPV6_HEADER_LEN, named_at = NEXT_AT;
    wm_ipv6_verdict verdict = WM_IPV6_DROPPED;

    for (;;) {
        uint8_t protocol = taking->packet[named_at];
        if (protocol == WM_IPV6_UDP) {
            return take_udp(taking, at, next);
        }
        if (protocol == WM_IPV6_ICMPV6) {
            return take_icmpv6(taking, at, next);
        }
        if (protocol == WM_IPV6_NO_NEXT) {
            return WM_IPV6_TAKEN;
        }
        if (!has_options(protocol) || (protocol == WM_IPV6_HOP_BY_HOP && named_at != NEXT_AT)) {
            return answer_error(taking, WM_ICMPV6_PARAMETER_PROBLEM, WM_ICMPV6_BAD_NEXT_HEADER,
                                named_at, next);
        }
        uint16_t len =
            wm_ipv6_extension_len(protocol, taking->packet + at, (uint16_t)(taking->len - at));
        if (len == 0 || !pass_extension(taking, protocol, at, len, &verdict, next)) {
            return verdict;
        }
        named_at = at;
        at = (uint16_t)(at + len);
    }
}

/* IPsec is asked first: what it refuses gets no answer, and nothing of it is looked at. */
static wm_ipv6_verdict receive_own(wm_ipv6_taking *taking, uint16_t *next)
{
    wm_ipv6_node *node = taking->node;
    wm_status status = WM_NOT_SECURED;

    if (node->unsecure != NULL) {
        status = node->unsecure(node->ipsec, taking->packet, &taking->len);
    } else if (node->secure != NULL || node->ipsec != NULL) {
        status = WM_ERR_UNAVAILABLE_SECURITY_LEVEL;
    }
    if (status < 0) {
        return WM_IPV6_REFUSED;
    }
    taking->under_ipsec = status != WM_NOT_SECURED;
    taking->authenticated = status == WM_OK;
    return take(taking, next);
}

wm_ipv6_verdict wm_ipv6_receive(wm_ipv6_node *node, uint8_t *packet, uint16_t size, uint16_t *len,
                                uint32_t now, bool to_all, uint16_t *next)
{
    wm_ipv6_taking taking = {
        .node = node, .packet = packet, .size = size, .len = *len, .now = now, .to_all = to_all};
    wm_ipv6_header header;
    wm_ipv6_verdict verdict;

    if (*len > size || wm_ipv6_parse(packet, *len, &header) != WM_OK ||
        wm_ipv6_is_nobody(header.src) || wm_ipv6_is_own(node, header.src)) {
        return WM_IPV6_DROPPED;
    }
    taking.len = (uint16_t)(WM_IPV6_HEADER_LEN + header.payload_len);
    if (same_address(header.dst, all_nodes) || (!to_all && wm_ipv6_is_own(node, header.dst))) {
        verdict = receive_own(&taking, next);
    } else {
        verdict = forward(&taking, next);
    }
    *len = taking.len;
    return verdict;
}

wm_status wm_ipv6_send_udp(wm_ipv6_node *node, const uint8_t to[WM_IPV6_ADDR_LEN],
                           uint16_t src_port, uint16_t dst_port, uint8_t *packet, uint16_t size,
                           uint16_t len, uint16_t *total, uint16_t *next)
{
    wm_ipv6_header header = {.next_header = WM_IPV6_UDP, .hop_limit = WM_IPV6_HOP_LIMIT};
    uint16_t front = WM_IPV6_HEADER_LEN + WM_UDP_HEADER_LEN;
    wm_status status;

    if (size < front || len > size - front) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (!wm_ipv6_next_hop(node, to, next)) {
        return WM_ERR_NOT_FOR_US;
    }
    header.payload_len = (uint16_t)(WM_UDP_HEADER_LEN + len);
    wm_move(header.src, node->address, WM_IPV6_ADDR_LEN);
    wm_move(header.dst, to, WM_IPV6_ADDR_LEN);
    wm_ipv6_build(&header, packet);
    put_udp(packet, src_port, dst_port, len);
    *total = (uint16_t)(front + len);
    status = secure(node, packet, size, total);
    return status >= 0 && *total > node->mtu ? WM_ERR_FRAME_TOO_LONG : status;
}
