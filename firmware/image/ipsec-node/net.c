/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of whole packets: two in which fragments are put together, and two for what is answered,
 * sent, or waits to be sent. When a packet is whole its buffer is changed for a free one, so no
 * packet is copied. What came in one frame for another node goes on in one, if it can: its buffer
 * then has what the frame carries. A packet in fragments for another node is kept as it came, and
 * goes on when all of it is there. */
#include "net.h"
#include <wardmote/lowpan_fragments.h>
#include <wardmote/octets.h>
#include "ahead.h"
#include "phase.h"
#include "relay.h"
#include "time.h"

#define SLOTS 2u
#define SPARE 2u
#define BUFFERS (SLOTS + SPARE)
#define REASSEMBLY_S 5u
#define PAYLOAD_AT WM_IPV6_HEADER_LEN /* of a frame, in a buffer */
#define DESTINATION_AT 24u            /* in an IPv6 header */
#define DISPATCH_FRAGMENT 0xC0u       /* 11000 and 11100: RFC 4944 5.3 */
#define DISPATCH_FRAGMENT_MASK 0xD8u

enum content {
    WHOLE,   /* a packet */
    KEPT,    /* a packet of which nobody has looked behind its IPv6 header */
    PAYLOAD, /* what one frame carries */
    IN_FRAME /* the same, which is in the frame already */
};

typedef struct waiting {
    uint8_t *packet; /* NULL: none */
    uint16_t len, next;
    enum content content;
    wm_lowpan_kept kept;
} waiting;

static const ipsec_node_setup *setup;
static wm_ipv6_node *node;
static wm_lowpan lowpan;
static uint8_t buffer[BUFFERS][IPSEC_NODE_DATAGRAM];
static uint8_t *spare[SPARE];
static wm_lowpan_slot slots[SLOTS];
static void dropped(void *context, const wm_lowpan_slot *slot)
{
    (void)context;
    ahead_drop_in(slot->packet);
}

static relay_node relaying;
static wm_lowpan_reassembly reassembly = {.slots = slots,
                                          .dropped = dropped,
                                          .context = &relaying,
                                          .timeout = REASSEMBLY_S * TIME_HZ,
                                          .size = IPSEC_NODE_DATAGRAM,
                                          .count = SLOTS,
                                          .per_sender = 1};
static waiting queue[SPARE]; /* the first is being sent */
static wm_lowpan_sending sending;
static uint16_t tag;
static uint8_t *room; /* given out by net_room */

static uint8_t *take_spare(void)
{
    for (uint8_t n = 0; n < SPARE; n++) {
        if (spare[n] != NULL) {
            uint8_t *taken = spare[n];
            spare[n] = NULL;
            return taken;
        }
    }
    ipsec_node_report_block.busy++;
    return NULL;
}

static void give_back(uint8_t *packet)
{
    for (uint8_t n = 0; n < SPARE; n++) {
        if (spare[n] == NULL) {
            spare[n] = packet;
            return;
        }
    }
}

wm_status net_start(const ipsec_node_setup *from, wm_ipv6_node *own, uint16_t first_tag)
{
    setup = from;
    node = own;
    tag = first_tag;
    if (setup->layout > WM_LOWPAN_IPSEC_DRAFT) {
        return WM_ERR_PARAM;
    }
    relaying = (relay_node){&lowpan, own, setup->address};
    reassembly.pass = relay_pass;
    lowpan.contexts = setup->context;
    lowpan.context_count = IPSEC_NODE_CONTEXTS;
    lowpan.ipsec = setup->layout;
    lowpan.ah_len = setup->ah_len;
    for (uint8_t n = 0; n < SLOTS; n++) {
        slots[n].packet = buffer[n];
    }
    for (uint8_t n = 0; n < SPARE; n++) {
        spare[n] = buffer[SLOTS + n];
    }
    return WM_OK;
}

void relay_link(wm_lowpan_link *link, uint16_t src, uint16_t dst)
{
    link->src.len = link->dst.len = 2;
    wm_store_be16(link->src.octet, src);
    wm_store_be16(link->dst.octet, dst);
}

/* The first packet of the queue is done with. */
static void drop_first(void)
{
    ahead_drop_out(queue[0].packet);
    give_back(queue[0].packet);
    for (uint8_t n = 1; n < SPARE; n++) {
        queue[n - 1u] = queue[n];
    }
    queue[SPARE - 1u].packet = NULL;
    ipsec_node_report_block.packets_out++;
}

/* The first frame of the first packet. */
static wm_status begin(uint8_t *frame, uint8_t size, uint16_t *len)
{
    wm_lowpan_link link;
    if (relay_pass != NULL && queue[0].content == KEPT) {
        return relay_send_kept(&sending, queue[0].packet, queue[0].len, &queue[0].kept, tag++,
                               frame, size, len);
    }
    if (queue[0].content != WHOLE) {
        *len = queue[0].len; /* it was made for this room */
        if (queue[0].content == PAYLOAD) {
            __builtin_memcpy(frame, queue[0].packet + PAYLOAD_AT, *len);
        }
        return WM_OK;
    }
    relay_link(&link, setup->address, queue[0].next);
    return wm_lowpan_send_made(&sending, ahead_maker(), &lowpan, &link, queue[0].packet,
                               queue[0].len, setup->elide_checksum != 0, tag++, frame, size, len);
}

/* Sends the next frame of the first packet, or the first of the next one. */
static void send(bool begins)
{
    uint8_t phase = phase_enter(IPSEC_NODE_COMPRESS);
    while (queue[0].packet != NULL) {
        uint8_t size;
        uint8_t *frame = link_payload(&size);
        uint16_t len = 0;
        wm_status status = WM_OK;
        if (begins) {
            status = begin(frame, size, &len);
        } else if (queue[0].content == WHOLE || queue[0].content == KEPT) {
            status = wm_lowpan_send_next(&sending, frame, size, &len);
        }
        if (status == WM_OK && len != 0 && link_send(queue[0].next, (uint8_t)len) == WM_OK) {
            break;
        }
        drop_first(); /* sent as a whole, or impossible to send */
        begins = true;
    }
    (void)phase_enter(phase);
}

void link_done(bool sent)
{
    if (queue[0].packet == NULL) {
        return;
    }
    if (!sent) { /* without one fragment the others are worth nothing */
        drop_first();
    }
    send(!sent);
}

static void enqueue(const waiting *packet)
{
    uint8_t n = 0;
    while (queue[n].packet != NULL) { /* there is a place for each buffer that is not spare */
        n++;
    }
    queue[n] = *packet;
    if (n == 0) {
        send(true);
    }
}

uint8_t *net_room(void)
{
    if (room == NULL) {
        room = take_spare();
    }
    return room;
}

void net_send(uint16_t len, uint16_t next)
{
    uint8_t *packet = room;
    room = NULL;
    if (len == 0) {
        ahead_drop_out(packet);
        give_back(packet);
    } else {
        const waiting own = {.packet = packet, .len = len, .next = next, .content = WHOLE};
        enqueue(&own);
    }
}

static void count(wm_ipv6_verdict verdict)
{
    ipsec_node_report *report = &ipsec_node_report_block;
    if (verdict == WM_IPV6_FORWARD) {
        report->forwarded++;
    } else if (verdict == WM_IPV6_DROPPED) {
        report->packets_refused++;
    } else if (verdict == WM_IPV6_REFUSED) {
        report->ipsec_refused++;
    } else {
        report->packets_in++;
    }
}

/* A whole packet, in a buffer that belongs to nobody else. */
static void take_packet(uint8_t *packet, uint16_t len, bool to_all)
{
    uint16_t next = 0;
    (void)phase_enter(IPSEC_NODE_ANSWER);
    wm_ipv6_verdict verdict =
        wm_ipv6_receive(node, packet, IPSEC_NODE_DATAGRAM, &len, time_now(), to_all, &next);
    count(verdict);
    ahead_drop_in(packet);
    if (verdict == WM_IPV6_FORWARD || verdict == WM_IPV6_ANSWER) {
        const waiting made = {.packet = packet, .len = len, .next = next, .content = WHOLE};
        enqueue(&made);
    } else {
        ahead_drop_out(packet);
        give_back(packet);
    }
}

/* The slot whose packet is whole gets a spare buffer in its place. Without one, the packet is
 * lost. NULL: it is, or it is on its way to another node. */
static uint8_t *exchange(wm_lowpan_slot *slot, uint16_t len)
{
    uint8_t *fresh = take_spare();
    uint8_t *whole = slot->packet;
    if (fresh == NULL) {
        ahead_drop_in(whole);
        return NULL;
    }
    slot->packet = fresh;
    if (relay_pass != NULL && slot->kept.first != 0) {
        const waiting kept = {whole, len, slot->kept.next, KEPT, slot->kept};
        count(WM_IPV6_FORWARD);
        enqueue(&kept);
        return NULL;
    }
    return whole;
}

static wm_lowpan_slot *slot_of(const uint8_t *packet)
{
    return slots[0].packet == packet ? &slots[0] : &slots[1];
}

/* IPsec of packets for this node goes on with what has come. */
static void come_ahead(void)
{
    for (uint8_t n = 0; n < SLOTS; n++) {
        wm_lowpan_slot *slot = &slots[n];
        uint16_t have = wm_lowpan_have(slot);
        if (have >= WM_IPV6_HEADER_LEN && wm_ipv6_is_own(node, slot->packet + DESTINATION_AT) &&
            ahead_come(node->ipsec, slot->packet, slot->total, have)) {
            slot->changed = have;
            time_set(TIME_FRAGMENTS, REASSEMBLY_S * TIME_HZ);
        }
    }
}

void net_on_alarm(void)
{
    wm_lowpan_expire(&reassembly, time_now());
}

static uint8_t *take_fragment(const link_frame *frame, const wm_lowpan_link *link, uint16_t *len)
{
    const uint8_t *packet = NULL;
    wm_status status = wm_lowpan_reassemble(&reassembly, &lowpan, link, frame->payload, frame->len,
                                            time_now(), &packet, len);
    if (status != WM_OK) {
        ipsec_node_report_block.lowpan_refused++;
    }
    if (ahead_maker() != NULL && node->ipsec != NULL) {
        come_ahead();
    }
    return packet != NULL ? exchange(slot_of(packet), *len) : NULL;
}

/* NULL: it is on its way to another node, or lost. What goes on in one frame is made where it is sent
 * from, if nothing else is being sent; else behind the place of its IPv6 header. */
static uint8_t *take_whole(const link_frame *frame, uint16_t *len)
{
    const enum content content = queue[0].packet == NULL ? IN_FRAME : PAYLOAD;
    relay_onward onward;
    wm_lowpan_expanded expanded;
    uint8_t *packet = take_spare();
    if (packet == NULL) {
        return NULL;
    }
    onward.out = link_payload(&onward.size);
    if (content == PAYLOAD) {
        onward.out = packet + PAYLOAD_AT;
    }
    if (relay_frame(&relaying, frame, &onward, packet, &expanded) != WM_OK) {
        ipsec_node_report_block.lowpan_refused++;
        give_back(packet);
        return NULL;
    }
    if (onward.len != 0) {
        count(WM_IPV6_FORWARD);
        const waiting made = {
            .packet = packet, .len = onward.len, .next = onward.next, .content = content};
        enqueue(&made);
        return NULL;
    }
    *len = expanded.len;
    return packet;
}

void net_take(const link_frame *frame)
{
    wm_lowpan_link link;
    uint16_t len = 0;
    bool fragment =
        frame->len != 0 && (frame->payload[0] & DISPATCH_FRAGMENT_MASK) == DISPATCH_FRAGMENT;
    uint8_t phase = phase_enter(IPSEC_NODE_EXPAND);
    relay_link(&link, frame->src, frame->dst);
    uint8_t *packet = fragment ? take_fragment(frame, &link, &len) : take_whole(frame, &len);
    if (packet != NULL) {
        take_packet(packet, len, frame->dst == WM_CSMA_BROADCAST);
    }
    (void)phase_enter(phase);
}
