/* SPDX-License-Identifier: BSD-3-Clause */
/* Frame counters in a log of limits: counter_place.h says what a segment holds, counter_generation.h
 * which segment counts. */
#include <wardmote/counter_store.h>
#include <stddef.h>
#include "counter_generation.h"

#define BLOCK_MAX 0x80000000u
#define EXHAUSTED 0xFFFFFFFFu

/* Takes one record into the limits: a limit rises, or begins at 0 again. */
static wm_status take(wm_counter_store *store, const wm_counter_record *from)
{
    if (from->kind >= store->slots) {
        return from->kind < WM_COUNTER_SLOTS_MAX ? WM_ERR_PARAM : WM_ERR_STORAGE;
    }
    if (from->value != 0 && from->value < store->limit[from->kind]) {
        return WM_ERR_STORAGE;
    }
    store->limit[from->kind] = from->value;
    return WM_OK;
}

/* All records of the active segment; `next` becomes the place after the last that is not blank. None
 * before it was blank when it was passed: a place that an interrupted record left so is the next to
 * be written. One blank place may be an interrupted record all the same, whose cells were between
 * one and zero. Two in a row are records that the medium lost. */
static wm_status take_all(wm_counter_store *store, const wm_counter_media *on)
{
    wm_status status = WM_OK;
    store->next = 0;
    for (uint16_t place = 0; place < store->places && status == WM_OK; place++) {
        wm_counter_record from;
        wm_counter_finding what =
            wm_counter_find(on, store->active, (uint16_t)(WM_COUNTER_FIRST_RECORD + place), &from);
        if (what == WM_COUNTER_VALID) {
            status = take(store, &from);
        }
        if (what == WM_COUNTER_DAMAGED) {
            status = WM_ERR_STORAGE;
        }
        if (what != WM_COUNTER_BLANK) {
            if (place > store->next + 1u) {
                status = WM_ERR_STORAGE;
            }
            store->next = (uint16_t)(place + 1);
        }
    }
    return status;
}

static wm_status load(wm_counter_store *store)
{
    wm_counter_media on = {store->port, store->medium};
    wm_counter_generation found;
    wm_status status = wm_counter_search(&on, &found);
    store->active = found.active;
    store->generation = found.number;
    if (status == WM_OK) {
        status = wm_counter_retire_others(&on, store->active);
    }
    return status == WM_OK ? take_all(store, &on) : status;
}

wm_status wm_counter_store_open(wm_counter_store *store, const wm_counter_port *port, void *medium,
                                uint32_t *limit, uint8_t slots, uint32_t block)
{
    store->slots = 0;
    store->failed = true;
    if (!wm_counter_usable(port) || slots == 0 || slots > WM_COUNTER_SLOTS_MAX ||
        slots >= wm_counter_places(port) || block == 0 || block > BLOCK_MAX ||
        (block & (block - 1)) != 0) {
        return WM_ERR_PARAM;
    }
    store->port = port;
    store->medium = medium;
    store->limit = limit;
    store->block = block;
    store->places = wm_counter_places(port);
    store->slots = slots;
    for (uint8_t slot = 0; slot < slots; slot++) {
        limit[slot] = 0;
        store->written[slot >> 3] = 0;
    }
    wm_status status = load(store);
    if (status != WM_OK) {
        store->slots = 0;
        return status;
    }
    store->failed = false;
    return WM_OK;
}

uint32_t wm_counter_store_limit(const wm_counter_store *store, uint8_t slot)
{
    return slot < store->slots ? store->limit[slot] : EXHAUSTED;
}

static uint8_t bit_of(uint8_t slot)
{
    return (uint8_t)(1u << (slot & 7u));
}

bool wm_counter_store_continues(const wm_counter_store *store, uint8_t slot, uint32_t next)
{
    const uint32_t limit = wm_counter_store_limit(store, slot);

    if (slot >= store->slots || (store->written[slot >> 3] & bit_of(slot)) == 0) {
        return next >= limit && limit != EXHAUSTED;
    }
    return next >= limit || limit - next < store->block;
}

/* The least limit of `next` or more that is whole blocks above this one, however long the blocks
 * were in which it was written: so what was used before the store was opened is never less than a
 * block behind. */
static uint32_t raised(const wm_counter_store *store, uint8_t slot, uint32_t next)
{
    uint32_t limit = store->limit[slot];
    limit += (next - limit - 1) & ~(store->block - 1); /* below `next` */
    return limit > EXHAUSTED - store->block ? EXHAUSTED : limit + store->block;
}

uint16_t wm_counter_store_free(const wm_counter_store *store)
{
    return store->slots == 0 || store->failed ? 0 : (uint16_t)(store->places - store->next);
}

/* Writes a record of each limit to the next segment, then its header, and only then retires the
 * present segment. The present segment holds until the header is complete; from then on the new one
 * does. */
static wm_status move(wm_counter_store *store, const wm_counter_media *on, uint8_t to)
{
    uint16_t next = 0;
    wm_status status = wm_counter_erase(on, to);
    for (uint8_t slot = 0; slot < store->slots && status == WM_OK; slot++) {
        if (store->limit[slot] != 0) {
            status = wm_counter_write(on, to, (uint16_t)(WM_COUNTER_FIRST_RECORD + next), slot,
                                      store->limit[slot]);
            next++;
        }
    }
    if (status == WM_OK) {
        status = wm_counter_write(on, to, WM_COUNTER_HEADER_PLACE, WM_COUNTER_HEADER,
                                  store->generation + 1);
    }
    if (status == WM_OK) {
        status = wm_counter_retire(on, store->active, WM_COUNTER_RETIRED_PLACE);
    }
    if (status == WM_OK) {
        store->active = to;
        store->generation++;
        store->next = next;
    }
    return status;
}

static bool is_ours(const wm_counter_store *store)
{
    return store->port->is_ours == NULL || store->port->is_ours(store->medium);
}

wm_status wm_counter_store_compact(wm_counter_store *store)
{
    if (store->slots == 0 || store->failed || store->generation == WM_COUNTER_GENERATION_LAST ||
        !is_ours(store)) {
        return WM_ERR_STORAGE;
    }
    wm_counter_media on = {store->port, store->medium};
    wm_status status = move(store, &on, wm_counter_segment_after(store->port, store->active));
    store->failed = status != WM_OK;
    return status;
}

static wm_status put(wm_counter_store *store, uint8_t slot, uint32_t limit)
{
    if (store->failed) {
        return WM_ERR_STORAGE;
    }
    wm_status status = store->next < store->places ? WM_OK : wm_counter_store_compact(store);
    if (status != WM_OK) {
        return status;
    }
    wm_counter_media on = {store->port, store->medium};
    status = wm_counter_write(&on, store->active, (uint16_t)(WM_COUNTER_FIRST_RECORD + store->next),
                              slot, limit);
    if (status != WM_OK) {
        if (limit == 0) { /* it may be right in the medium all the same, and the old keys hold */
            (void)!wm_counter_store_compact(store);
        }
        store->failed = true;
        return status;
    }
    store->next++;
    store->limit[slot] = limit;
    store->written[slot >> 3] |= bit_of(slot);
    return WM_OK;
}

wm_status wm_counter_store_advance(wm_counter_store *store, uint8_t slot, uint32_t next)
{
    if (slot >= store->slots) {
        return WM_ERR_PARAM;
    }
    if (next == 0) {
        return WM_ERR_COUNTER;
    }
    if (!is_ours(store)) {
        return WM_ERR_STORAGE;
    }
    return next <= store->limit[slot] ? WM_OK : put(store, slot, raised(store, slot, next));
}

wm_status wm_counter_store_clear(wm_counter_store *store, uint8_t slot)
{
    if (slot >= store->slots) {
        return WM_ERR_PARAM;
    }
    if (!is_ours(store)) {
        return WM_ERR_STORAGE;
    }
    return store->limit[slot] == 0 ? WM_OK : put(store, slot, 0);
}
