/* SPDX-License-Identifier: BSD-3-Clause */
/* A slot of a counter store as a counter. */
#include <wardmote/counter_slot.h>

static const wm_counter_slot *slot_of(const wm_counter *counter)
{
    return (const wm_counter_slot *)(const void *)counter; /* its first member */
}

static uint32_t limit(const wm_counter *counter)
{
    const wm_counter_slot *of = slot_of(counter);
    return wm_counter_store_limit(of->store, of->slot);
}

static bool continues(const wm_counter *counter, uint32_t next)
{
    const wm_counter_slot *of = slot_of(counter);
    return wm_counter_store_continues(of->store, of->slot, next);
}

static wm_status advance(wm_counter *counter, uint32_t next)
{
    const wm_counter_slot *of = slot_of(counter);
    return wm_counter_store_advance(of->store, of->slot, next);
}

static wm_status clear(wm_counter *counter)
{
    const wm_counter_slot *of = slot_of(counter);
    return wm_counter_store_clear(of->store, of->slot);
}

void wm_counter_slot_init(wm_counter_slot *counter, wm_counter_store *store, uint8_t slot)
{
    static const wm_counter_ops ops = {limit, continues, advance, clear};
    *counter = (wm_counter_slot){{&ops}, store, slot};
}
