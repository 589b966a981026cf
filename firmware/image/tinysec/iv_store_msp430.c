/* SPDX-License-Identifier: BSD-3-Clause */
/* In the information memory. */
#include "iv_store.h"
#include <stddef.h>
#include <wardmote/counter_slot.h>
#include "flash.h"
#include "node.h"

#define SLOT 0

static wm_counter_store store;
static wm_counter_slot slot;
static uint32_t limit;

static wm_status open(void)
{
    return wm_counter_store_open(&store, &flash_information, NULL, &limit, 1, IV_STORE_BLOCK);
}

wm_counter *const iv_store = &slot.counter;

wm_status iv_store_open(void)
{
    flash_start(NODE_CLOCK_HZ);
    wm_status status = open();
    if (status == WM_ERR_NO_STORE) {
        status = wm_counter_store_create(&flash_information, NULL);
        if (status == WM_OK) {
            status = open();
        }
    }
    wm_counter_slot_init(&slot, &store, SLOT);
    return status;
}
