/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression of headers.
 *
 * References: RFC 6282 4.2 (extension headers, IPv6 in IPv6), 4.3 (UDP). The chain of headers is
 * walked twice. The first walk counts the headers up to the last one that LOWPAN_NHC makes shorter;
 * the second writes as many. A header is compressed only if every field that is left out is what
 * expansion would put there. */
#include <wardmote/octets.h>
#include "lowpan_parts.h"

#define EID_SHIFT 1
#define DATA_MAX 255u /* octets that the length octet can count */
#define PAD_1 0u
#define PAD_N 1u
#define PAD_MAX 7u
#define OFFSET_MASK 0xFFF8u /* of a fragment header */
#define SEGMENTS_LEFT 3u

enum { EXTENSION, INNER, UDP, IPSEC };

/* Where in the chain. */
typedef struct walk {
    const wm_lowpan *net;
    const uint8_t *packet;
    uint16_t len, at;
    uint16_t ip;  /* where the innermost IPv6 header begins */
    uint8_t next; /* Next Header of what is before `at` */
    bool elide;   /* a right UDP checksum may be left out here */
    bool closed;  /* what follows is no header */
} walk;

/* One header that LOWPAN_NHC can send. */
typedef struct step {
    uint8_t kind, eid;
    uint16_t len;  /* octets in the packet */
    uint16_t data; /* of an extension header: octets behind the length octet */
    bool gain;     /* shorter than as it is */
} step;

/* Octets of the pad at the end of options, if it is what expansion would put there; 0 otherwise,
 * and where pads follow one another. */
static uint8_t pad_of(const uint8_t *options, uint16_t len)
{
    uint16_t at = 0;
    uint16_t last = 0;
    bool after_pad = false;
    bool pad = false;
    uint8_t n;
    uint8_t i;

    while (at < len) {
        after_pad = pad;
        last = at;
        pad = options[at] <= PAD_N;
        if (options[at] == PAD_1) {
            at++;
        } else if (len - at < 2 || (uint16_t)(len - at - 2u) < options[at + 1]) {
            return 0;
        } else {
            at = (uint16_t)(at + 2u + options[at + 1]);
        }
    }
    if (!pad || after_pad || len - last > (uint16_t)PAD_MAX) {
        return 0;
    }
    n = (uint8_t)(len - last);
    for (i = 2; i < n; i++) {
        if (options[last + i] != 0) {
            return 0;
        }
    }
    return n;
}

static bool find_extension(const walk *w, step *s)
{
    const uint8_t *at = w->packet + w->at;
    uint8_t pad = 0;

    s->eid = 0;
    while (wm_lowpan_eid_protocol[s->eid] != w->next) {
        s->eid++;
        if (s->eid == WM_EIDS) {
            return false;
        }
    }
    s->len = wm_ipv6_extension_len(w->next, at, (uint16_t)(w->len - w->at));
    if (s->len == 0 || (w->next == WM_IPV6_FRAGMENT && at[1] != 0)) {
        return false;
    }
    if (w->next == WM_IPV6_HOP_BY_HOP || w->next == WM_IPV6_DESTINATION) {
        pad = pad_of(at + 2, (uint16_t)(s->len - 2u));
    }
    s->kind = EXTENSION;
    s->data = (uint16_t)(s->len - 2u - pad);
    s->gain = pad != 0;
    return s->data <= DATA_MAX;
}

/* What stands at `at`, if LOWPAN_NHC can send it. */
static bool find(const walk *w, step *s)
{
    const uint8_t *at = w->packet + w->at;
    const uint16_t left = (uint16_t)(w->len - w->at);

    s->gain = true;
    if (w->closed) {
        return false;
    }
    if (w->next == WM_IPV6_UDP) {
        s->kind = UDP;
        s->len = WM_UDP_HEADER_LEN;
        return left >= WM_UDP_HEADER_LEN && wm_load_be16(at + WM_UDP_LENGTH_AT) == left;
    }
    if (w->next == WM_IPV6_IPV6) {
        s->kind = INNER;
        s->len = WM_IPV6_HEADER_LEN;
        return left >= WM_IPV6_HEADER_LEN && at[0] >> 4 == 6 &&
               wm_load_be16(at + WM_IP_PAYLOAD_LEN) == left - WM_IPV6_HEADER_LEN;
    }
    s->kind = IPSEC;
    s->len = wm_lowpan_ipsec_len(w->net, w->next, at, left);
    return s->len != 0 || find_extension(w, s);
}

static void advance(walk *w, const step *s, bool elide)
{
    const uint8_t *at = w->packet + w->at;

    if (s->kind == INNER) {
        w->ip = w->at;
        w->next = at[WM_IP_NEXT_HEADER];
        w->elide = elide;
    } else {
        if (w->next == WM_IPV6_FRAGMENT) {
            w->elide = false;
            w->closed = (wm_load_be16(at + 2) & OFFSET_MASK) != 0;
        } else if (w->next == WM_IPV6_ROUTING && at[SEGMENTS_LEFT] != 0) {
            w->elide = false;
        }
        w->closed = w->closed || s->kind == UDP || w->next == WM_IPV6_ESP ||
                    (s->kind == IPSEC && w->net->ipsec == WM_LOWPAN_IPSEC_DRAFT);
        w->next = at[0];
    }
    w->at = (uint16_t)(w->at + s->len);
}

/* Would expansion compute this checksum? */
static bool is_right(const walk *w)
{
    const uint8_t *udp = w->packet + w->at;
    const uint8_t *ip = w->packet + w->ip;

    return wm_load_be16(udp + WM_UDP_CHECKSUM_AT) != 0 &&
           wm_ipv6_checksum(ip + WM_IP_SRC, ip + WM_IP_DST, WM_IPV6_UDP, udp,
                            (uint16_t)(w->len - w->at)) == 0;
}

static void put_udp(const walk *w, wm_lowpan_sink *sink)
{
    const uint8_t *udp = w->packet + w->at;
    const uint16_t src = wm_load_be16(udp);
    const uint16_t dst = wm_load_be16(udp + 2);
    const bool elided = w->elide && is_right(w);
    const uint8_t nhc = (uint8_t)(WM_NHC_UDP | (elided ? WM_NHC_UDP_CHECKSUM : 0u));

    if ((src & 0xFFF0u) == WM_UDP_PORTS_4 && (dst & 0xFFF0u) == WM_UDP_PORTS_4) {
        wm_lowpan_put1(sink, nhc | 3u);
        wm_lowpan_put1(sink, (uint8_t)((src & 0x0Fu) << 4 | (dst & 0x0Fu)));
    } else if ((src & 0xFF00u) == WM_UDP_PORTS_8) {
        wm_lowpan_put1(sink, nhc | 2u);
        wm_lowpan_put(sink, udp + 1, 3);
    } else if ((dst & 0xFF00u) == WM_UDP_PORTS_8) {
        wm_lowpan_put1(sink, nhc | 1u);
        wm_lowpan_put(sink, udp, 2);
        wm_lowpan_put1(sink, udp[3]);
    } else {
        wm_lowpan_put1(sink, nhc);
        wm_lowpan_put(sink, udp, 4);
    }
    if (!elided) {
        wm_lowpan_put(sink, udp + WM_UDP_CHECKSUM_AT, 2);
    }
}

/* `nh`: another one follows. */
static void put_step(const walk *w, const step *s, bool nh, wm_lowpan_sink *sink)
{
    const uint8_t *at = w->packet + w->at;

    if (s->kind == UDP) {
        put_udp(w, sink);
    } else if (s->kind == INNER) {
        wm_lowpan_iids iids;
        wm_lowpan_iids_of_ip(w->packet + w->ip, &iids);
        wm_lowpan_put1(sink, WM_NHC_EXT | WM_EID_IPV6 << EID_SHIFT);
        wm_iphc_put(w->net, &iids, at, nh, sink);
    } else if (s->kind == IPSEC) {
        wm_lowpan_ipsec_put(w->net, w->next, at, nh, sink);
    } else {
        wm_lowpan_put1(
            sink, (uint8_t)(WM_NHC_EXT | (unsigned)s->eid << EID_SHIFT | (nh ? WM_NHC_NH : 0u)));
        if (!nh) {
            wm_lowpan_put1(sink, at[0]);
        }
        wm_lowpan_put1(sink, (uint8_t)s->data);
        wm_lowpan_put(sink, at + 2, s->data);
    }
}

/* Headers up to the last one that is shorter as LOWPAN_NHC. */
static uint16_t count(walk w)
{
    uint16_t steps = 0;
    uint16_t useful = 0;
    step s;

    while (find(&w, &s)) {
        steps++;
        if (s.gain) {
            useful = steps;
        }
        advance(&w, &s, false);
    }
    return useful;
}

wm_status wm_lowpan_compress(const wm_lowpan *net, const wm_lowpan_link *link,
                             const uint8_t *packet, uint16_t len, bool elide_checksum, uint8_t *out,
                             uint16_t size, wm_lowpan_headers *done)
{
    walk w = {.net = net,
              .packet = packet,
              .len = len,
              .at = WM_IPV6_HEADER_LEN,
              .elide = elide_checksum};
    wm_lowpan_sink sink = {out, size, false};
    wm_lowpan_iids iids;
    uint16_t left;

    if (!wm_lowpan_usable(net) || len < WM_IPV6_HEADER_LEN || packet[0] >> 4 != 6 ||
        wm_load_be16(packet + WM_IP_PAYLOAD_LEN) != len - WM_IPV6_HEADER_LEN) {
        return WM_ERR_PARAM;
    }
    w.next = packet[WM_IP_NEXT_HEADER];
    left = count(w);
    wm_lowpan_iids_of_link(link, &iids);
    wm_iphc_put(net, &iids, packet, left != 0, &sink);
    for (; left != 0; left--) {
        step s;
        (void)find(&w, &s);
        put_step(&w, &s, left != 1, &sink);
        advance(&w, &s, elide_checksum);
    }
    done->packet = w.at;
    done->compressed = (uint16_t)(size - sink.left);
    return sink.full ? WM_ERR_FRAME_TOO_LONG : WM_OK;
}
