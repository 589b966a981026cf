/* SPDX-License-Identifier: BSD-3-Clause */
/* 6LoWPAN fragments.
 *
 * The input is a series of fragments with a sender, a pause and octets each, or of parts of one
 * packet that the stack cut. Judged: statuses; no sender holds more slots than it may; a packet
 * that was put together from fragments of one packet is that packet; slots keep their bounds, for
 * their memory is of exact size. */
#include "harness.h"
#include <wardmote/lowpan_fragments.h>
#include <wardmote/octets.h>

#define SLOTS 3u
#define PER_SENDER 2u
#define TIMEOUT 60u
#define PACKET 300u
#define FRAMES 30u

typedef struct node {
    wm_lowpan_slot slots[SLOTS];
    wm_lowpan_reassembly reassembly;
    wm_lowpan net;
    wm_lowpan_link link;
    uint32_t now;
} node;

static void start(node *n)
{
    uint8_t i;

    memset(n, 0, sizeof *n);
    for (i = 0; i < SLOTS; i++) {
        n->slots[i].packet = malloc(WM_LOWPAN_DATAGRAM_MAX);
    }
    n->reassembly = (wm_lowpan_reassembly){.slots = n->slots,
                                           .timeout = TIMEOUT,
                                           .size = WM_LOWPAN_DATAGRAM_MAX,
                                           .count = SLOTS,
                                           .per_sender = PER_SENDER};
    n->link.src.len = n->link.dst.len = 2;
    n->now = UINT32_MAX - 100u;
}

static void stop(node *n)
{
    uint8_t i;

    for (i = 0; i < SLOTS; i++) {
        free(n->slots[i].packet);
    }
}

/* One fragment; the packet if it is whole. */
static const uint8_t *give(node *n, const uint8_t *octets, uint16_t len, uint16_t *packet_len)
{
    uint8_t *frame = fuzz_copy(octets, len);
    const uint8_t *packet;
    const wm_status status = wm_lowpan_reassemble(&n->reassembly, &n->net, &n->link, frame, len,
                                                  n->now, &packet, packet_len);
    uint8_t own = 0;
    uint8_t i;

    for (i = 0; i < SLOTS; i++) {
        own = (uint8_t)(own + (n->slots[i].total != 0 &&
                               n->slots[i].link.src.octet[1] == n->link.src.octet[1]));
        FUZZ_REQUIRE(n->slots[i].total <= n->reassembly.size);
    }
    FUZZ_REQUIRE(own <= PER_SENDER);
    FUZZ_REQUIRE(status == WM_OK || status == WM_ERR_MALFORMED || status == WM_ERR_NOT_FOR_US ||
                 status == WM_ERR_FRAME_TOO_LONG || status == WM_ERR_STATE);
    FUZZ_REQUIRE(status == WM_OK || packet == NULL);
    if (packet != NULL) {
        FUZZ_REQUIRE(*packet_len >= WM_IPV6_HEADER_LEN && *packet_len <= n->reassembly.size);
        FUZZ_REQUIRE(wm_load_be16(packet + 4) == *packet_len - WM_IPV6_HEADER_LEN);
    }
    free(frame);
    return packet;
}

/* Any octets. */
static void judge_any(fuzz_input *in)
{
    node n;
    uint16_t len;

    start(&n);
    while (in->left != 0) {
        const uint8_t who = fuzz_u8(in);
        const uint8_t size = fuzz_u8(in) & 0x7Fu;
        const uint16_t there = in->left < size ? (uint16_t)in->left : size;
        n.link.src.octet[1] = who & 3u;
        n.now += who >> 4;
        (void)give(&n, in->at, there, &len);
        in->at += there;
        in->left -= there;
    }
    stop(&n);
}

/* Cuts a packet of the input's octets: how many frames. */
static uint8_t cut(fuzz_input *in, const node *n, const uint8_t *packet, uint16_t size,
                   uint8_t frames[FRAMES][128], uint16_t len[FRAMES])
{
    const uint16_t room = (uint16_t)(60u + (fuzz_u8(in) & 63u));
    wm_lowpan_sending sending;
    uint8_t count = 0;

    FUZZ_REQUIRE(wm_lowpan_send(&sending, &n->net, &n->link, packet, size, fuzz_u8(in) & 1u, 7,
                                frames[0], room, &len[0]) == WM_OK);
    while (len[count] != 0) {
        FUZZ_REQUIRE(len[count] <= room);
        count++;
        FUZZ_REQUIRE(count < FRAMES);
        FUZZ_REQUIRE(wm_lowpan_send_next(&sending, frames[count], room, &len[count]) == WM_OK);
    }
    return count;
}

/* The frames of one packet in the order that the input says, again and again: it becomes whole, and
 * only as it was. */
static void judge_own(fuzz_input *in)
{
    static uint8_t frames[FRAMES][128];
    uint16_t len[FRAMES];
    uint8_t packet[PACKET] = {0x60, 0, 0, 0, 0, 0, WM_IPV6_NO_NEXT, 64};
    const uint16_t size = (uint16_t)(160u + fuzz_u8(in) % 140u);
    uint8_t count;
    uint8_t i;
    node n;

    start(&n);
    wm_store_be16(packet + 4, (uint16_t)(size - WM_IPV6_HEADER_LEN));
    fuzz_octets(in, packet + 8, 1);
    for (i = 40; i < 140; i++) {
        packet[i] = i;
    }
    count = cut(in, &n, packet, size, frames, len);
    FUZZ_REQUIRE(count > 1);
    while (in->left != 0) {
        const uint8_t which = fuzz_u8(in) % count;
        uint16_t got;
        const uint8_t *whole = give(&n, frames[which], len[which], &got);
        FUZZ_REQUIRE(whole == NULL || (got == size && memcmp(whole, packet, size) == 0));
    }
    for (i = 0; i < count; i++) { /* all of them, whatever came before */
        uint16_t got;
        const uint8_t *whole = give(&n, frames[i], len[i], &got);
        if (whole != NULL) {
            FUZZ_REQUIRE(got == size && memcmp(whole, packet, size) == 0);
            stop(&n);
            return;
        }
    }
    FUZZ_REQUIRE(false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};

    if ((fuzz_u8(&in) & 1u) != 0) {
        judge_own(&in);
    } else {
        judge_any(&in);
    }
    return FUZZ_TAKEN;
}
