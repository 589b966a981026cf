/* SPDX-License-Identifier: BSD-3-Clause */
/* 6LoWPAN fragments.
 *
 * The input is a series of fragments with a sender, a pause and octets each, or of parts of one
 * packet that the stack cut, for a node that puts packets together or one that keeps them for
 * another. Judged: statuses; no sender holds more slots than it may; a packet that was put together
 * from fragments of one packet is that packet, also where a relay kept it in between; slots keep
 * their bounds, for their memory is of exact size. */
#include "harness.h"
#include <wardmote/lowpan_fragments.h>
#include <wardmote/octets.h>

#define SLOTS 3u
#define PER_SENDER 2u
#define TIMEOUT 60u
#define PACKET 300u
#define FRAMES 30u
#define HOPS_AT 7u
#define NEXT 3u /* short address of the next hop */
#define ROOM_MOST 127u
#define ROOM_LEAST 80u /* of a relay: its fragments are longer than what headers may grow by */

typedef struct node {
    wm_lowpan_slot slots[SLOTS];
    wm_lowpan_reassembly reassembly;
    wm_lowpan net;
    wm_lowpan_link link;
    uint32_t now;
} node;

/* A relay: every packet is for the next hop. */
static uint16_t pass(void *context, const wm_lowpan_link *link, const uint8_t *in, uint16_t len,
                     wm_lowpan_slot *slot)
{
    const wm_lowpan *net = context;
    const wm_lowpan_link onward = {.src = link->dst, .dst = {.octet = {0, NEXT}, .len = 2}};
    const uint16_t room = slot->total < 100 ? slot->total : 100;
    uint8_t ip[WM_IPV6_HEADER_LEN];
    wm_lowpan_front front;
    uint16_t made = 0;

    if (wm_lowpan_read_front(net, link, in, len, ip, &front) != WM_OK) {
        return 0;
    }
    ip[HOPS_AT]--;
    slot->kept.least = (uint16_t)(WM_IPV6_HEADER_LEN + len - front.len);
    slot->kept.next = NEXT;
    return wm_lowpan_write_front(net, &onward, ip, &front, in, len, slot->packet, room, &made) ==
                   WM_OK
               ? made
               : 0;
}

static void start(node *n, bool relays)
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
    n->reassembly.pass = relays ? pass : NULL;
    n->reassembly.context = &n->net;
}

static void stop(node *n)
{
    uint8_t i;

    for (i = 0; i < SLOTS; i++) {
        free(n->slots[i].packet);
    }
}

/* The slot of a packet that is whole, if it was kept for another node. */
static const wm_lowpan_kept *kept_of(const node *n, const uint8_t *packet)
{
    uint8_t i;

    for (i = 0; i < SLOTS; i++) {
        if (n->slots[i].packet == packet && n->slots[i].kept.first != 0) {
            return &n->slots[i].kept;
        }
    }
    return NULL;
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
    if (packet != NULL && kept_of(n, packet) != NULL) {
        FUZZ_REQUIRE(kept_of(n, packet)->from < *packet_len &&
                     kept_of(n, packet)->first <= kept_of(n, packet)->from);
        FUZZ_REQUIRE(*packet_len <= n->reassembly.size);
    } else if (packet != NULL) {
        FUZZ_REQUIRE(*packet_len >= WM_IPV6_HEADER_LEN && *packet_len <= n->reassembly.size);
        FUZZ_REQUIRE(wm_load_be16(packet + 4) == *packet_len - WM_IPV6_HEADER_LEN);
    }
    free(frame);
    return packet;
}

/* What a relay sends on: the packet if the next hop, which does not relay, has put one together. */
static const uint8_t *send_on(node *next, const uint8_t *packet, uint16_t len,
                              const wm_lowpan_kept *kept, uint16_t room, uint16_t *packet_len)
{
    uint8_t frame[ROOM_MOST];
    const uint8_t *whole = NULL;
    wm_lowpan_sending sending;
    uint16_t frame_len;

    FUZZ_REQUIRE(wm_lowpan_send_kept(&sending, packet, len, kept, 9, frame, room, &frame_len) ==
                 (kept->first + WM_LOWPAN_FRAG1_LEN > room ? WM_ERR_FRAME_TOO_LONG : WM_OK));
    if (kept->first + WM_LOWPAN_FRAG1_LEN > room) {
        return NULL;
    }
    while (frame_len != 0) {
        FUZZ_REQUIRE(whole == NULL && frame_len <= room);
        whole = give(next, frame, frame_len, packet_len);
        FUZZ_REQUIRE(wm_lowpan_send_next(&sending, frame, room, &frame_len) == WM_OK);
    }
    return whole;
}

/* Who gets what a relay sends on. */
static void start_next(node *next)
{
    start(next, false);
    next->link.src.octet[1] = 0; /* the relay's address, as `pass` has it */
    next->link.dst.octet[1] = NEXT;
}

/* Any octets. */
static void judge_any(fuzz_input *in, bool relays)
{
    node n, next;
    uint16_t len;

    start(&n, relays);
    start_next(&next);
    while (in->left != 0) {
        const uint8_t who = fuzz_u8(in);
        const uint8_t size = fuzz_u8(in) & 0x7Fu;
        const uint16_t there = in->left < size ? (uint16_t)in->left : size;
        n.link.src.octet[1] = who & 3u;
        n.now += who >> 4;
        const uint8_t *packet = give(&n, in->at, there, &len);
        const wm_lowpan_kept *kept = packet == NULL ? NULL : kept_of(&n, packet);
        if (kept != NULL) {
            uint16_t onward_len;
            (void)send_on(&next, packet, len, kept, (uint16_t)(20u + (who & 63u)), &onward_len);
        }
        in->at += there;
        in->left -= there;
    }
    stop(&n);
    stop(&next);
}

/* Cuts a packet of the input's octets: how many frames. */
static uint8_t cut(fuzz_input *in, const node *n, const uint8_t *packet, uint16_t size,
                   uint8_t frames[FRAMES][128], uint16_t len[FRAMES])
{
    const uint16_t least = n->reassembly.pass != NULL ? ROOM_LEAST : 60u;
    const uint16_t room = (uint16_t)(least + (fuzz_u8(in) & 31u));
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

/* A packet that is whole is the one that was sent; at the next hop too, with one hop less. */
static void judge_whole(node *n, const uint8_t *whole, uint16_t got, const uint8_t *packet,
                        uint16_t size)
{
    const wm_lowpan_kept *kept = kept_of(n, whole);

    FUZZ_REQUIRE(got == size);
    if (kept == NULL) {
        FUZZ_REQUIRE(memcmp(whole, packet, size) == 0);
        return;
    }
    node next;
    start_next(&next);
    const uint8_t *onward = send_on(&next, whole, got, kept, ROOM_MOST, &got);
    FUZZ_REQUIRE(onward != NULL && got == size &&
                 onward[HOPS_AT] == (uint8_t)(packet[HOPS_AT] - 1));
    FUZZ_REQUIRE(memcmp(onward, packet, HOPS_AT) == 0);
    FUZZ_REQUIRE(memcmp(onward + HOPS_AT + 1, packet + HOPS_AT + 1, size - HOPS_AT - 1u) == 0);
    stop(&next);
}

/* The frames of one packet in the order that the input says, again and again: it becomes whole, and
 * only as it was. */
static void judge_own(fuzz_input *in, bool relays)
{
    static uint8_t frames[FRAMES][128];
    uint16_t len[FRAMES];
    uint8_t packet[PACKET] = {0x60, 0, 0, 0, 0, 0, WM_IPV6_NO_NEXT, 64};
    const uint16_t size = (uint16_t)(160u + fuzz_u8(in) % 140u);
    uint8_t count;
    uint8_t i;
    node n;

    start(&n, relays);
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
        if (whole != NULL) {
            judge_whole(&n, whole, got, packet, size);
        }
    }
    for (i = 0; i < count; i++) { /* all of them, whatever came before */
        uint16_t got;
        const uint8_t *whole = give(&n, frames[i], len[i], &got);
        if (whole != NULL) {
            judge_whole(&n, whole, got, packet, size);
            stop(&n);
            return;
        }
    }
    FUZZ_REQUIRE(false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};

    const uint8_t kind = fuzz_u8(&in);

    if ((kind & 1u) != 0) {
        judge_own(&in, (kind & 2u) != 0);
    } else {
        judge_any(&in, (kind & 2u) != 0);
    }
    return FUZZ_TAKEN;
}
