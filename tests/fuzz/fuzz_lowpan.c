/* SPDX-License-Identifier: BSD-3-Clause */
/* 6LoWPAN headers.
 *
 * The first octets choose contexts, addresses of the frame and a layout of AH and ESP; the rest is
 * what a frame carries, or a packet. Judged: what is expanded has lengths that fit, and is the same
 * when it is compressed and expanded again; the compressed form is never longer than the one that
 * came; one octet less of room is refused; a relay finds the same, and the next node too; memory is of
 * exact size. */
#include "harness.h"
#include <wardmote/lowpan.h>
#include <wardmote/octets.h>

#define ROOM 1500u
#define WHOLE 0x41u

typedef struct network {
    wm_lowpan_context contexts[WM_LOWPAN_CONTEXTS];
    wm_lowpan net;
    wm_lowpan_link link;
} network;

static void take_address(fuzz_input *in, wm_lowpan_addr *addr, uint8_t kind)
{
    static const uint8_t len[4] = {0, 2, 8, 3};

    addr->len = len[kind & 3u];
    fuzz_octets(in, addr->octet, 8);
}

/* Few octets of input, so that the rest is soon reached: contexts share their octets. */
static void take_network(fuzz_input *in, network *n)
{
    static const uint8_t bits[8] = {0, 16, 64, 64, 61, 72, 128, 129};
    const uint8_t choice = fuzz_u8(in);
    const uint8_t kinds = fuzz_u8(in);
    uint8_t prefix[WM_IPV6_ADDR_LEN];
    uint8_t i;

    memset(n, 0, sizeof *n);
    fuzz_octets(in, prefix, sizeof prefix);
    prefix[0] &= 0x7Fu; /* of no multicast address, which has forms of its own */
    for (i = 0; i < WM_LOWPAN_CONTEXTS; i++) {
        memcpy(n->contexts[i].prefix, prefix, sizeof prefix);
        n->contexts[i].prefix[1] = i;
        n->contexts[i].prefix_len = bits[(kinds + i) & 7u];
    }
    n->net.contexts = n->contexts;
    n->net.context_count = choice & 15u;
    n->net.ipsec = choice >> 4 & 3u;
    n->net.ah_len = choice >> 6;
    take_address(in, &n->link.src, kinds >> 3);
    take_address(in, &n->link.dst, kinds >> 5);
}

/* A packet through both. `most`: octets that its compressed form may have. */
static void judge_packet(const network *n, const uint8_t *packet, uint16_t len, bool elide,
                         uint32_t most)
{
    uint8_t *out = malloc(len + 2u);
    uint8_t *again = malloc(len);
    wm_lowpan_headers done;
    wm_lowpan_expanded made;
    uint16_t all;

    FUZZ_REQUIRE(wm_lowpan_compress(&n->net, &n->link, packet, len, elide, out,
                                    (uint16_t)(len + 2u), &done) == WM_OK);
    FUZZ_REQUIRE(done.packet <= len && done.compressed <= done.packet + 1u);
    all = (uint16_t)(done.compressed + (len - done.packet));
    FUZZ_REQUIRE(all <= most);
    memcpy(out + done.compressed, packet + done.packet, (size_t)(len - done.packet));
    FUZZ_REQUIRE(wm_lowpan_expand(&n->net, &n->link, out, all, 0, again, len, &made) == WM_OK);
    FUZZ_REQUIRE(made.len == len && made.total == len && memcmp(again, packet, len) == 0);
    FUZZ_REQUIRE(wm_lowpan_expand(&n->net, &n->link, out, all, 0, again, (uint16_t)(len - 1u),
                                  &made) == WM_ERR_FRAME_TOO_LONG);
    FUZZ_REQUIRE(wm_lowpan_compress(&n->net, &n->link, packet, len, elide, out,
                                    (uint16_t)(done.compressed - 1u),
                                    &done) == WM_ERR_FRAME_TOO_LONG);
    free(again);
    free(out);
}

static bool is_refusal(wm_status status)
{
    return status == WM_ERR_MALFORMED || status == WM_ERR_NOT_FOR_US ||
           status == WM_ERR_FRAME_TOO_LONG;
}

/* May the stack's own form be longer? Where there are options, their pad may have been left out behind
 * another pad, and the stack leaves out none. Behind a fragment header (EID 2) a sender may have
 * compressed what it took for a UDP header, and the stack takes none for one there. */
static bool may_grow(const uint8_t *in, uint16_t len)
{
    while (len-- != 0) {
        const uint8_t eid = in[len] & 0xFEu;

        if (eid == 0xE0u || eid == 0xE4u || eid == 0xE6u) {
            return true;
        }
    }
    return false;
}

/* The same by a relay: the header first, and then the rest, which is `status` and `len` octets at
 * `out`; and what it sends on, to a node that finds the same packet. */
static void judge_relay(const network *n, const uint8_t *in, uint16_t len, wm_status status,
                        const uint8_t *out, uint16_t total)
{
    uint8_t *packet = malloc(ROOM), *onward = malloc(len + 40u);
    wm_lowpan_link link = {n->link.dst, n->link.src};
    wm_lowpan_front front;
    wm_lowpan_expanded made;
    uint16_t sent;
    wm_status found = wm_lowpan_read_front(&n->net, &n->link, in, len, packet, &front);

    if (found == WM_OK) {
        uint8_t ip[WM_IPV6_HEADER_LEN];
        memcpy(ip, packet, sizeof ip);
        found = wm_lowpan_expand_rest(&n->net, &front, in, len, packet, ROOM, &made);
        FUZZ_REQUIRE(wm_lowpan_write_front(&n->net, &link, ip, &front, in, len, onward,
                                           (uint16_t)(len + 40u), &sent) == WM_OK);
    } else if (found == WM_ERR_NOT_FOR_US && in[0] == WHOLE) {
        found = status;
    }
    FUZZ_REQUIRE(found == status);
    if (status == WM_OK && in[0] != WHOLE) {
        FUZZ_REQUIRE(memcmp(packet, out, total) == 0);
        FUZZ_REQUIRE(wm_lowpan_expand(&n->net, &link, onward, sent, 0, packet, ROOM, &made) ==
                     WM_OK);
        FUZZ_REQUIRE(made.len == total && memcmp(packet, out, total) == 0);
    }
    free(onward);
    free(packet);
}

static void judge_received(const network *n, const uint8_t *in, uint16_t len)
{
    uint8_t *octets = fuzz_copy(in, len);
    uint8_t *out = malloc(ROOM);
    wm_lowpan_expanded made;
    const wm_status status = wm_lowpan_expand(&n->net, &n->link, octets, len, 0, out, ROOM, &made);

    if (n->net.ipsec > WM_LOWPAN_IPSEC_DRAFT) {
        FUZZ_REQUIRE(status == WM_ERR_PARAM);
    } else if (status == WM_OK) {
        FUZZ_REQUIRE(made.len == made.total && made.len <= ROOM);
        FUZZ_REQUIRE(wm_load_be16(out + 4) == made.len - WM_IPV6_HEADER_LEN && out[0] >> 4 == 6);
        judge_packet(n, out, made.len, true, may_grow(in, len) ? ROOM : len);
    } else {
        FUZZ_REQUIRE(is_refusal(status));
    }
    judge_relay(n, octets, len, status, out, made.len);
    free(out);
    free(octets);
}

/* The same octets as a first fragment: never more than the datagram, and never past it. */
static void judge_first(const network *n, const uint8_t *in, uint16_t len, uint16_t total)
{
    uint8_t *octets = fuzz_copy(in, len);
    uint8_t *out = malloc(total);
    wm_lowpan_expanded made;
    const wm_status status =
        wm_lowpan_expand(&n->net, &n->link, octets, len, total, out, total, &made);

    if (status == WM_OK) {
        FUZZ_REQUIRE(made.total == total && made.len <= total);
        FUZZ_REQUIRE(wm_load_be16(out + 4) == total - WM_IPV6_HEADER_LEN);
        FUZZ_REQUIRE(made.udp == 0 || made.udp + WM_UDP_HEADER_LEN <= made.len);
    } else {
        FUZZ_REQUIRE(is_refusal(status) || status == WM_ERR_PARAM);
    }
    free(out);
    free(octets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t kind = fuzz_u8(&in);
    network n;
    uint16_t len;

    take_network(&in, &n);
    len = in.left > 600 ? 600 : (uint16_t)in.left;
    if ((kind & 3u) == 1) {
        judge_first(&n, in.at, len, (uint16_t)(len + kind));
    } else if ((kind & 3u) != 2) {
        judge_received(&n, in.at, len);
    } else if (len >= WM_IPV6_HEADER_LEN && n.net.ipsec <= WM_LOWPAN_IPSEC_DRAFT) {
        uint8_t *packet = fuzz_copy(in.at, len);
        packet[0] = (uint8_t)(0x60u | (packet[0] & 15u));
        wm_store_be16(packet + 4, (uint16_t)(len - WM_IPV6_HEADER_LEN));
        judge_packet(&n, packet, len, (kind & 4u) != 0, len + 1u);
        free(packet);
    } else {
        return FUZZ_USELESS;
    }
    return FUZZ_TAKEN;
}
