/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of stack/src/store, for a PIB whose counters are all in RAM: the procedures ask a store
 * about no such counter, and one that has no store keeps nothing. */
#include <wardmote/counter_store.h>

uint32_t wm_counter_store_limit(const wm_counter_store *store, uint8_t slot)
{
    (void)store;
    (void)slot;
    return UINT32_MAX;
}

bool wm_counter_store_continues(const wm_counter_store *store, uint8_t slot, uint32_t next)
{
    (void)store;
    (void)slot;
    (void)next;
    return false;
}

wm_status wm_counter_store_advance(wm_counter_store *store, uint8_t slot, uint32_t next)
{
    (void)store;
    (void)slot;
    (void)next;
    return WM_ERR_STORAGE;
}
