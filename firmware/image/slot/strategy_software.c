/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy software: AES-128 with tables on the CPU; see strategy_ccm.c for the rest. */
#include <wardmote/aes128.h>
#include "strategy.h"

static wm_aes128_tab_key keys[WM_KEY_SLOTS];

const wm_cipher *strategy_cipher(uint8_t slot)
{
    return &keys[slot].cipher;
}

void strategy_key(uint8_t slot, const uint8_t key[16])
{
    wm_aes128_tab_init(&keys[slot], key);
}
