/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy software: AES-128 with tables on the CPU; see strategy_ccm.c for the rest. */
#include <wardmote/aes128.h>
#include "strategy.h"

static wm_aes128 keys[WM_KEY_SLOTS];

const wm_cipher128 *const strategy_cipher = &wm_aes128_tab;

bool strategy_cipher_failed(void)
{
    return false;
}

const void *strategy_key(uint8_t slot)
{
    return &keys[slot];
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    wm_aes128_expand(&keys[slot], key);
}
