/* SPDX-License-Identifier: BSD-3-Clause */
/* In the EEPROM. A write takes 0.05 s, and there is one in IV_STORE_BLOCK packets. */
#include "iv_store.h"
#include <wardmote/counter_cells.h>

static wm_counter_cells store;

wm_counter *const iv_store = &store.counter;

wm_status iv_store_open(void)
{
    wm_status status = wm_counter_cells_open(&store, 0, IV_STORE_BLOCK);
    if (status == WM_ERR_NO_STORE) {
        status = wm_counter_cells_create(0);
        if (status == WM_OK) {
            status = wm_counter_cells_open(&store, 0, IV_STORE_BLOCK);
        }
    }
    return status;
}
