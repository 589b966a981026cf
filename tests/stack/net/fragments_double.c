/* SPDX-License-Identifier: BSD-3-Clause */
#include "fragments_double.h"

static uint8_t *being_made;
static uint16_t made, limit;
static uint8_t dropped;

static wm_status make(void *context, const uint8_t *packet, uint16_t end)
{
    (void)context;
    if (packet != being_made || end > limit) {
        return WM_ERR_ENGINE;
    }
    for (; made < end; made++) {
        being_made[made] = (uint8_t)~being_made[made];
    }
    return WM_OK;
}

void fragments_double_makes(wm_lowpan_maker *maker, uint8_t *packet, uint16_t from, uint16_t most)
{
    being_made = packet;
    made = from;
    limit = most;
    maker->make = make;
}

uint16_t fragments_double_made(void)
{
    return made;
}

static void count(void *context, const wm_lowpan_slot *slot)
{
    (void)context;
    slot->packet[0] = 0xDD;
    dropped++;
}

void fragments_double_wire(wm_lowpan_reassembly *reassembly)
{
    dropped = 0;
    reassembly->dropped = count;
}

uint8_t fragments_double_dropped(void)
{
    return dropped;
}

#define HOPS_AT 7u
#define NEXT 0xA5A5u

static const wm_lowpan *network;
static const wm_lowpan_link *next_hop;
static uint16_t most;

static uint16_t pass(void *context, const wm_lowpan_link *link, const uint8_t *in, uint16_t len,
                     wm_lowpan_slot *slot)
{
    uint8_t ip[WM_IPV6_HEADER_LEN];
    wm_lowpan_front front;
    uint16_t size = slot->total < most ? slot->total : most, len_out = 0;
    (void)context;
    if (wm_lowpan_read_front(network, link, in, len, ip, &front) != WM_OK) {
        return 0;
    }
    ip[HOPS_AT]--;
    slot->kept.least = (uint16_t)(WM_IPV6_HEADER_LEN + len - front.len);
    slot->kept.next = NEXT;
    return wm_lowpan_write_front(network, next_hop, ip, &front, in, len, slot->packet, size,
                                 &len_out) == WM_OK
               ? len_out
               : 0;
}

void fragments_double_passes(wm_lowpan_reassembly *reassembly, const wm_lowpan *net,
                             const wm_lowpan_link *onward, uint16_t room)
{
    network = net;
    next_hop = onward;
    most = room;
    reassembly->pass = pass;
}
