/* SPDX-License-Identifier: BSD-3-Clause */
/* LOWPAN_IPHC: the IPv6 header.
 *
 * References: RFC 6282 3.1 (the two octets), 3.1.2 (contexts), 3.2.1 (traffic class and flow
 * label). To compress an address, every mode is expanded until one gives that address: what is
 * sent cannot mean anything else. */
#include <wardmote/octets.h>
#include "lowpan_parts.h"

#define TF_SHIFT 3
#define NH 0x04u
#define CID 0x80u /* second octet: CID SAC SAM(2) M DAC DAM(2) */
#define SRC_SHIFT 4
#define SRC_MASK 0x07u
#define VERSION_6 0x60u
#define MULTICAST 0xFFu

static const uint8_t hop_limit[4] = {0, 1, 64, 255}; /* by HLIM; 0: in line */

/* A way to send an address. */
typedef struct form {
    uint8_t mode, context;
    uint8_t len; /* in line */
} form;

static void put_mode(const form *of, const uint8_t *addr, wm_lowpan_sink *sink)
{
    const uint8_t *at;
    const uint8_t len = wm_iphc_in_line(of->mode, &at);
    uint8_t i;

    for (i = 0; i < len; i++) {
        wm_lowpan_put1(sink, addr[at[i]]);
    }
}

/* Does this mode give this address? */
static bool gives(const form *of, const wm_lowpan_context *context, const uint8_t *iid,
                  const uint8_t *addr)
{
    uint8_t in_line[WM_IPV6_ADDR_LEN];
    uint8_t again[WM_IPV6_ADDR_LEN];
    wm_lowpan_sink sink = {in_line, sizeof in_line, false};
    wm_lowpan_source source = {in_line, sizeof in_line};
    uint8_t i;

    put_mode(of, addr, &sink);
    if (wm_iphc_address(of->mode, context, iid, &source, again) != WM_OK) {
        return false;
    }
    for (i = 0; i < WM_IPV6_ADDR_LEN; i++) {
        if (again[i] != addr[i]) {
            return false;
        }
    }
    return true;
}

/* The shortest mode with this context, or without if it is NULL, that is shorter than `best` and
 * has the same M. A higher AM has fewer octets in line. */
static void shorten(const wm_lowpan_context *context, uint8_t number, const uint8_t *iid,
                    const uint8_t *addr, form *best)
{
    const uint8_t base =
        (uint8_t)((best->mode & WM_IPHC_M) | (context != NULL ? WM_IPHC_CONTEXT : 0u));
    uint8_t am = 4;

    while (am-- != 0) {
        const uint8_t *at;
        form of = {(uint8_t)(base | am), number, 0};
        of.len = wm_iphc_in_line(of.mode, &at);
        if (of.len < best->len && of.mode != WM_IPHC_UNSPECIFIED &&
            gives(&of, context, iid, addr)) {
            *best = of;
            return;
        }
    }
}

/* The shortest forms without a context octet, `[0]`, and with any context, `[1]`. `m` is the M that
 * they have. */
static void choose(const wm_lowpan *net, uint8_t m, const uint8_t *iid, const uint8_t *addr,
                   form found[2])
{
    uint8_t i;

    found[0] = (form){m, 0, WM_IPV6_ADDR_LEN};
    shorten(NULL, 0, iid, addr, &found[0]);
    found[1] = found[0];
    for (i = 0; i < net->context_count; i++) {
        if (net->contexts[i].prefix_len != 0 && net->contexts[i].prefix_len <= 128 &&
            !net->contexts[i].expand_only) {
            shorten(&net->contexts[i], i, iid, addr, &found[1]);
            if (i == 0) {
                found[0] = found[1];
            }
        }
    }
}

static bool unspecified(const uint8_t *addr)
{
    uint8_t any = 0;
    uint8_t i;

    for (i = 0; i < WM_IPV6_ADDR_LEN; i++) {
        any |= addr[i];
    }
    return any == 0;
}

/* Traffic class and flow label: TF, and the octets in line. ECN stands before DSCP here. */
static uint8_t traffic(const uint8_t *ip, uint8_t octets[4], uint8_t *len)
{
    const uint8_t class = (uint8_t)((ip[0] & 0x0Fu) << 4 | ip[1] >> 4);
    const bool flow = ((ip[1] & 0x0Fu) | ip[2] | ip[3]) != 0;
    const uint8_t ecn = (uint8_t)((class & 3u) << 6);

    octets[0] = (uint8_t)(ecn | class >> 2);
    octets[1] = ip[1] & 0x0Fu;
    octets[2] = ip[2];
    octets[3] = ip[3];
    if (!flow) {
        *len = class != 0;
        return class != 0 ? 2 : 3;
    }
    *len = 4;
    if (class >> 2 != 0) {
        return 0;
    }
    octets[0] = (uint8_t)(ecn | octets[1]);
    octets[1] = ip[2];
    octets[2] = ip[3];
    *len = 3;
    return 1;
}

static uint8_t hop_limit_mode(uint8_t hops)
{
    uint8_t mode = 3;

    while (mode != 0 && hop_limit[mode] != hops) {
        mode--;
    }
    return mode;
}

void wm_iphc_put(const wm_lowpan *net, const wm_lowpan_iids *iids,
                 const uint8_t ip[WM_IPV6_HEADER_LEN], bool nh, wm_lowpan_sink *sink)
{
    const uint8_t hops = hop_limit_mode(ip[WM_IP_HOP_LIMIT]);
    uint8_t octets[4];
    uint8_t len;
    const uint8_t tf = traffic(ip, octets, &len);
    form src[2];
    form dst[2];
    uint8_t with; /* index into both: 1 with a context octet */

    choose(net, 0, iids->has_src ? iids->src : NULL, ip + WM_IP_SRC, src);
    choose(net, ip[WM_IP_DST] == MULTICAST ? WM_IPHC_M : 0, iids->has_dst ? iids->dst : NULL,
           ip + WM_IP_DST, dst);
    if (unspecified(ip + WM_IP_SRC)) {
        src[0] = src[1] = (form){WM_IPHC_UNSPECIFIED, 0, 0};
    }
    with = src[1].len + dst[1].len + 1u < (unsigned)src[0].len + dst[0].len;
    wm_lowpan_put1(sink,
                   (uint8_t)(WM_IPHC_DISPATCH | (unsigned)tf << TF_SHIFT | (nh ? NH : 0u) | hops));
    wm_lowpan_put1(sink, (uint8_t)((with ? CID : 0u) | (unsigned)src[with].mode << SRC_SHIFT |
                                   dst[with].mode));
    if (with) {
        wm_lowpan_put1(sink, (uint8_t)((unsigned)src[1].context << 4 | dst[1].context));
    }
    wm_lowpan_put(sink, octets, len);
    if (!nh) {
        wm_lowpan_put1(sink, ip[WM_IP_NEXT_HEADER]);
    }
    if (hops == 0) {
        wm_lowpan_put1(sink, ip[WM_IP_HOP_LIMIT]);
    }
    put_mode(&src[with], ip + WM_IP_SRC, sink);
    put_mode(&dst[with], ip + WM_IP_DST, sink);
}

/* The context that a mode names: NULL if it names none. */
static wm_status find_context(const wm_lowpan *net, uint8_t mode, uint8_t number,
                              const wm_lowpan_context **context)
{
    *context = NULL;
    if ((mode & WM_IPHC_CONTEXT) == 0) {
        return WM_OK;
    }
    if (number >= net->context_count || net->contexts[number].prefix_len == 0 ||
        net->contexts[number].prefix_len > 128) {
        return WM_ERR_NOT_FOR_US;
    }
    *context = &net->contexts[number];
    return WM_OK;
}

static wm_status take_address(const wm_lowpan *net, uint8_t mode, uint8_t number,
                              const uint8_t *iid, wm_lowpan_source *in, uint8_t *addr)
{
    const wm_lowpan_context *context = NULL;
    wm_status status = WM_OK;

    if (mode != WM_IPHC_UNSPECIFIED) {
        status = find_context(net, mode, number, &context);
    }
    return status == WM_OK ? wm_iphc_address(mode, context, iid, in, addr) : status;
}

/* The first 4 octets of the IPv6 header; pads are not looked at. */
static bool take_traffic(uint8_t tf, wm_lowpan_source *in, uint8_t *ip)
{
    static const uint8_t len[4] = {4, 3, 1, 0};
    const uint8_t *octets = wm_lowpan_take(in, len[tf]);
    uint8_t class = 0;

    ip[1] = ip[2] = ip[3] = 0;
    if (octets == NULL) {
        return false;
    }
    if (tf != 3) {
        class = octets[0] >> 6;
    }
    if (tf == 0 || tf == 2) {
        class = (uint8_t)(class | (octets[0] & 0x3Fu) << 2);
    }
    if (tf <= 1) { /* the last 20 bits are the flow label */
        const uint8_t *flow = octets + len[tf] - 3;
        ip[1] = flow[0] & 0x0Fu;
        ip[2] = flow[1];
        ip[3] = flow[2];
    }
    ip[0] = (uint8_t)(VERSION_6 | class >> 4);
    ip[1] = (uint8_t)(ip[1] | (class & 0x0Fu) << 4);
    return true;
}

/* What stands in line for one octet of the header, or the octet that is known. */
static bool take_octet(bool in_line, uint8_t known, wm_lowpan_source *in, uint8_t *octet)
{
    const uint8_t *there = wm_lowpan_take(in, in_line ? 1 : 0);

    if (there == NULL) {
        return false;
    }
    *octet = in_line ? *there : known;
    return true;
}

wm_status wm_iphc_take(const wm_lowpan *net, const wm_lowpan_iids *iids, wm_lowpan_source *in,
                       uint8_t ip[WM_IPV6_HEADER_LEN], bool *nh)
{
    const uint8_t *first = wm_lowpan_take(in, 2);
    uint8_t numbers = 0;
    uint8_t modes;
    wm_status status;

    if (first == NULL || (first[0] & WM_IPHC_DISPATCH_MASK) != WM_IPHC_DISPATCH) {
        return WM_ERR_MALFORMED;
    }
    modes = first[1];
    *nh = (first[0] & NH) != 0;
    wm_store_be16(ip + WM_IP_PAYLOAD_LEN, 0);
    if (!take_octet((modes & CID) != 0, 0, in, &numbers) ||
        !take_traffic(first[0] >> TF_SHIFT & 3u, in, ip) ||
        !take_octet(!*nh, 0, in, ip + WM_IP_NEXT_HEADER) ||
        !take_octet((first[0] & 3u) == 0, hop_limit[first[0] & 3u], in, ip + WM_IP_HOP_LIMIT)) {
        return WM_ERR_MALFORMED;
    }
    /* DAC without M: DAM 0 is reserved, where the source has the unspecified address. */
    if ((modes & 0x0Fu) == WM_IPHC_UNSPECIFIED) {
        return WM_ERR_MALFORMED;
    }
    status = take_address(net, modes >> SRC_SHIFT & SRC_MASK, numbers >> 4,
                          iids->has_src ? iids->src : NULL, in, ip + WM_IP_SRC);
    if (status != WM_OK) {
        return status;
    }
    return take_address(net, modes & 0x0Fu, numbers & 0x0Fu, iids->has_dst ? iids->dst : NULL, in,
                        ip + WM_IP_DST);
}
