/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_slot.h
 *  A slot of a counter store as a counter.h counter. */
#ifndef WARDMOTE_COUNTER_SLOT_H
#define WARDMOTE_COUNTER_SLOT_H

#include <wardmote/counter.h>
#include <wardmote/counter_store.h>

WM_C_BEGIN

/** Static memory of the caller. */
typedef struct wm_counter_slot {
    wm_counter counter;
    wm_counter_store *store;
    uint8_t slot;
} wm_counter_slot;

/** Makes slot `slot` of `store` a counter. The store may be opened before or after. */
void wm_counter_slot_init(wm_counter_slot *counter, wm_counter_store *store, uint8_t slot);

WM_C_END

#endif
