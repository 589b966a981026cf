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
