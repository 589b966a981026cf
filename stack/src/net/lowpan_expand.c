/* SPDX-License-Identifier: BSD-3-Clause */
/* Expansion of compressed headers.
 *
 * References: RFC 6282 4.2 (extension headers, IPv6 in IPv6), 4.3 (UDP); RFC 4944 5.1 (dispatch).
 * A loop takes one header a round. Each header leaves where its Next Header stands, which the next
 * one fills in. Payload Length of an IPv6 header holds the place of the one around it until the
 * length of the packet is known: so any number of headers needs no more memory.
 * Invariant: no octet is read or written before it was compared with what is left. */
#include <wardmote/octets.h>
#include "lowpan_parts.h"

#define DISPATCH_IPV6 0x41u
#define EID_MASK 7u
#define EID_SHIFT 1
#define FRAGMENT_LEN 8u
#define PAD_1 0u
#define PAD_N 1u
#define SEGMENTS_LEFT 1u /* in the data of a routing header */
#define NOWHERE 0xFFFFu

typedef struct expansion {
    const wm_lowpan *net;
    wm_lowpan_iids iids;
    wm_lowpan_source in;
    uint8_t *out;
    uint16_t size, at; /* octets of `out`, and how many are written */
    uint16_t ip;       /* where the innermost IPv6 header begins */
    uint16_t next_at;  /* where the Next Header stands that names what comes */
    bool more;         /* LOWPAN_NHC comes */
    bool no_checksum;  /* one that was left out could not be computed here */
    wm_lowpan_expanded *made;
} expansion;

/* Room for `n` octets; NULL if there is none. */
static uint8_t *room(expansion *x, uint16_t n)
{
    uint8_t *at = x->out + x->at;

    if (x->size - x->at < n) {
        return NULL;
    }
    x->at = (uint16_t)(x->at + n);
    return at;
}

/* An IPv6 header stands at `at`, and its lengths are not known yet. */
static void begin_ip(expansion *x, uint16_t at)
{
    uint8_t *ip = x->out + at;

    wm_store_be16(ip + WM_IP_PAYLOAD_LEN, x->ip);
    x->ip = at;
    x->next_at = (uint16_t)(at + WM_IP_NEXT_HEADER);
    x->no_checksum = false;
    wm_lowpan_iids_of_ip(ip, &x->iids);
}

static wm_status take_ip(expansion *x)
{
    const uint16_t at = x->at;
    uint8_t *ip = room(x, WM_IPV6_HEADER_LEN);
    wm_status status;

    if (ip == NULL) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    status = wm_iphc_take(x->net, &x->iids, &x->in, ip, &x->more);
    if (status == WM_OK) {
        begin_ip(x, at);
    }
    return status;
}

/* A header is named where the one before it says so. */
static void name(expansion *x, uint8_t protocol)
{
    x->out[x->next_at] = protocol;
}

/* RFC 6282 4.2: IPv6 in IPv6. */
static wm_status take_inner(expansion *x, uint8_t nhc)
{
    if ((nhc & WM_NHC_NH) != 0) {
        return WM_ERR_MALFORMED;
    }
    name(x, WM_IPV6_IPV6);
    return take_ip(x);
}

/* Octets that an extension header has behind its data, which ends options with a pad. */
static void put_pad(uint8_t *pad, uint8_t n)
{
    uint8_t i;

    if (n == 0) {
        return;
    }
    pad[0] = (uint8_t)(n == 1 ? PAD_1 : PAD_N);
    if (n > 1) {
        pad[1] = (uint8_t)(n - 2u);
    }
    for (i = 2; i < n; i++) {
        pad[i] = 0;
    }
}

static wm_status put_extension(expansion *x, uint8_t protocol, uint8_t next, const uint8_t *data,
                               uint8_t len)
{
    const uint16_t at = x->at;
    const uint8_t pad = (uint8_t)((8u - (len + 2u)) & 7u);
    const uint16_t total = (uint16_t)(len + 2u + pad);
    const bool options = protocol == WM_IPV6_HOP_BY_HOP || protocol == WM_IPV6_DESTINATION;
    uint8_t *header;

    if ((pad != 0 && !options) || (protocol == WM_IPV6_FRAGMENT && total != FRAGMENT_LEN)) {
        return WM_ERR_MALFORMED;
    }
    header = room(x, total);
    if (header == NULL) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    name(x, protocol);
    header[0] = next;
    header[1] = protocol == WM_IPV6_FRAGMENT ? 0 : (uint8_t)((total >> 3) - 1u);
    wm_lowpan_copy(header + 2, data, len);
    put_pad(header + 2 + len, pad);
    x->next_at = at;
    x->no_checksum = x->no_checksum || protocol == WM_IPV6_FRAGMENT ||
                     (protocol == WM_IPV6_ROUTING && data[SEGMENTS_LEFT] != 0);
    return WM_OK;
}

/* AH or ESP: behind their own octet, which the octet before announces. */
static wm_status take_ipsec(expansion *x, uint8_t nhc)
{
    const uint16_t at = x->at;
    wm_lowpan_ipsec found = {.icv_len = 0};
    uint8_t *header;

    if ((nhc & WM_NHC_NH) == 0 || wm_lowpan_ipsec_take(x->net, &x->in, &found) != WM_OK) {
        return WM_ERR_MALFORMED;
    }
    header = room(x, (uint16_t)(found.icv_len + (found.protocol == WM_IPV6_AH ? 12u : 8u)));
    if (header == NULL) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    name(x, found.protocol);
    if (found.protocol == WM_IPV6_AH) {
        header[0] = found.next;
        header[1] = found.ah_len;
        wm_store_be16(header + 2, 0);
        wm_lowpan_copy(header + 12, found.icv, found.icv_len);
        header += 4;
    }
    wm_lowpan_copy(header, found.fields, sizeof found.fields);
    x->next_at = at;
    x->more = found.nh;
    return WM_OK;
}

static wm_status take_extension(expansion *x, uint8_t nhc)
{
    const uint8_t eid = nhc >> EID_SHIFT & EID_MASK;
    const uint8_t *next;
    const uint8_t *len;
    const uint8_t *data;

    if (eid == WM_EID_IPV6) {
        return take_inner(x, nhc);
    }
    if (eid >= WM_EID_IPSEC) {
        return take_ipsec(x, nhc);
    }
    x->more = (nhc & WM_NHC_NH) != 0;
    next = wm_lowpan_take(&x->in, x->more ? 0 : 1);
    len = wm_lowpan_take(&x->in, 1);
    if (next == NULL || len == NULL) {
        return WM_ERR_MALFORMED;
    }
    data = wm_lowpan_take(&x->in, *len);
    if (data == NULL) {
        return WM_ERR_MALFORMED;
    }
    return put_extension(x, wm_lowpan_eid_protocol[eid], x->more ? 0 : *next, data, *len);
}

/* RFC 6282 4.3.3: octets of the ports by P, and the ports. */
static void put_ports(uint8_t p, const uint8_t *ports, uint8_t *udp)
{
    uint16_t src = WM_UDP_PORTS_8;
    uint16_t dst = WM_UDP_PORTS_8;

    switch (p) {
    case 0:
        src = wm_load_be16(ports);
        dst = wm_load_be16(ports + 2);
        break;
    case 1:
        src = wm_load_be16(ports);
        dst |= ports[2];
        break;
    case 2:
        src |= ports[0];
        dst = wm_load_be16(ports + 1);
        break;
    default:
        src = (uint16_t)(WM_UDP_PORTS_4 | ports[0] >> 4);
        dst = (uint16_t)(WM_UDP_PORTS_4 | (ports[0] & 0x0Fu));
        break;
    }
    wm_store_be16(udp, src);
    wm_store_be16(udp + 2, dst);
}

static wm_status take_udp(expansion *x, uint8_t nhc)
{
    static const uint8_t ports_len[4] = {4, 3, 3, 1};
    const uint8_t p = nhc & 3u;
    const bool elided = (nhc & WM_NHC_UDP_CHECKSUM) != 0;
    const uint8_t *ports = wm_lowpan_take(&x->in, ports_len[p]);
    const uint8_t *sum = wm_lowpan_take(&x->in, elided ? 0 : 2);
    const uint16_t at = x->at;
    uint8_t *udp;

    if (ports == NULL || sum == NULL || (elided && x->no_checksum)) {
        return WM_ERR_MALFORMED;
    }
    udp = room(x, WM_UDP_HEADER_LEN);
    if (udp == NULL) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    name(x, WM_IPV6_UDP);
    put_ports(p, ports, udp);
    wm_store_be16(udp + WM_UDP_CHECKSUM_AT, elided ? 0 : wm_load_be16(sum));
    x->made->udp = elided ? at : 0;
    x->made->ip = x->ip;
    x->next_at = at; /* marks that UDP stands here: its length is to be filled in */
    x->more = false;
    return WM_OK;
}

static wm_status take_next(expansion *x, bool *udp)
{
    const uint8_t *nhc = wm_lowpan_take(&x->in, 1);

    if (nhc == NULL) {
        return WM_ERR_MALFORMED;
    }
    if ((*nhc & WM_NHC_EXT_MASK) == WM_NHC_EXT) {
        return take_extension(x, *nhc);
    }
    if ((*nhc & WM_NHC_UDP_MASK) == WM_NHC_UDP) {
        *udp = true;
        return take_udp(x, *nhc);
    }
    return WM_ERR_MALFORMED;
}

/* The payload, and the lengths that it decides. */
static wm_status complete(expansion *x, bool udp, uint16_t datagram_size)
{
    const uint32_t len = (uint32_t)x->at + x->in.left;
    const uint32_t total = datagram_size != 0 ? datagram_size : len;
    uint16_t ip = x->ip;

    if (len > total) {
        return WM_ERR_MALFORMED;
    }
    if (total > x->size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    wm_lowpan_copy(x->out + x->at, x->in.at, x->in.left);
    if (udp) {
        wm_store_be16(x->out + x->next_at + WM_UDP_LENGTH_AT, (uint16_t)(total - x->next_at));
    }
    while (ip != NOWHERE) {
        const uint16_t around = wm_load_be16(x->out + ip + WM_IP_PAYLOAD_LEN);
        wm_store_be16(x->out + ip + WM_IP_PAYLOAD_LEN, (uint16_t)(total - ip - WM_IPV6_HEADER_LEN));
        ip = around;
    }
    x->made->len = (uint16_t)len;
    x->made->total = (uint16_t)total;
    if (len == total) {
        wm_lowpan_finish(x->out, x->made);
    }
    return WM_OK;
}

/* RFC 4944 5.1: an IPv6 packet as it is, behind its dispatch octet. */
static wm_status take_whole(expansion *x, uint16_t datagram_size)
{
    const uint8_t *ip;
    uint32_t total;

    (void)wm_lowpan_take(&x->in, 1);
    total = datagram_size != 0 ? datagram_size : x->in.left;
    ip = x->in.at;
    if (x->in.left < WM_IPV6_HEADER_LEN || x->in.left > total || ip[0] >> 4 != 6 ||
        wm_load_be16(ip + WM_IP_PAYLOAD_LEN) != total - WM_IPV6_HEADER_LEN) {
        return WM_ERR_MALFORMED;
    }
    return complete(x, false, datagram_size);
}

/* The headers behind the first one, and the payload. */
static wm_status take_rest(expansion *x, uint16_t datagram_size)
{
    bool udp = false;
    wm_status status = WM_OK;

    while (status == WM_OK && x->more) {
        status = take_next(x, &udp);
    }
    return status == WM_OK ? complete(x, udp, datagram_size) : status;
}

wm_status wm_lowpan_expand_rest(const wm_lowpan *net, const wm_lowpan_front *front,
                                const uint8_t *in, uint16_t in_len, uint8_t *out, uint16_t size,
                                wm_lowpan_expanded *expanded)
{
    expansion x = {.net = net, .in = {in, in_len}, .out = out, .size = size, .ip = NOWHERE};

    x.made = expanded;
    *expanded = (wm_lowpan_expanded){0, 0, 0, 0};
    if (!wm_lowpan_usable(net) || wm_lowpan_take(&x.in, front->len) == NULL ||
        room(&x, WM_IPV6_HEADER_LEN) == NULL) {
        return WM_ERR_PARAM;
    }
    x.more = front->nh;
    begin_ip(&x, 0);
    return take_rest(&x, 0);
}

wm_status wm_lowpan_expand(const wm_lowpan *net, const wm_lowpan_link *link, const uint8_t *in,
                           uint16_t in_len, uint16_t datagram_size, uint8_t *out, uint16_t size,
                           wm_lowpan_expanded *expanded)
{
    expansion x = {.net = net, .in = {in, in_len}, .out = out, .size = size, .ip = NOWHERE};
    wm_status status;

    x.made = expanded;
    *expanded = (wm_lowpan_expanded){0, 0, 0, 0};
    if (!wm_lowpan_usable(net)) {
        return WM_ERR_PARAM;
    }
    if (in_len == 0) {
        return WM_ERR_MALFORMED;
    }
    if (in[0] == DISPATCH_IPV6) {
        return take_whole(&x, datagram_size);
    }
    if ((in[0] & WM_IPHC_DISPATCH_MASK) != WM_IPHC_DISPATCH) {
        return WM_ERR_NOT_FOR_US;
    }
    wm_lowpan_iids_of_link(link, &x.iids);
    status = take_ip(&x);
    if (status == WM_OK) {
        status = take_rest(&x, datagram_size);
    }
    if (status == WM_ERR_FRAME_TOO_LONG && datagram_size != 0 && datagram_size <= size) {
        status = WM_ERR_MALFORMED; /* there is room, but not in the datagram */
    }
    return status;
}

void wm_lowpan_finish(uint8_t *packet, const wm_lowpan_expanded *expanded)
{
    uint8_t *udp = packet + expanded->udp;
    const uint8_t *ip = packet + expanded->ip;
    uint16_t sum;

    if (expanded->udp == 0) {
        return;
    }
    wm_store_be16(udp + WM_UDP_CHECKSUM_AT, 0); /* a first fragment that is all has it already */
    sum = wm_ipv6_checksum(ip + WM_IP_SRC, ip + WM_IP_DST, WM_IPV6_UDP, udp,
                           (uint16_t)(expanded->total - expanded->udp));
    wm_store_be16(udp + WM_UDP_CHECKSUM_AT, sum == 0 ? 0xFFFFu : sum);
}
