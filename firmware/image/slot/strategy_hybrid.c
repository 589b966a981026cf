/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy hybrid: each AES block goes through the CC2420's stand-alone engine; see strategy_ccm.c for the rest.
 * Key slot n lies in KEYn of the radio; here a key is its number. */
#include "cc2420.h"
#include "strategy.h"

static const uint8_t key_number[WM_KEY_SLOTS] = {0, 1};

static void encrypt(const void *key, wm_block128 *block)
{
    cc2420_aes(*(const uint8_t *)key, block->octet);
}

static const wm_cipher128 aes128_cc2420 = {"aes128-cc2420", encrypt};
const wm_cipher128 *const strategy_cipher = &aes128_cc2420;

const void *strategy_key(uint8_t slot)
{
    return &key_number[slot];
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    cc2420_key(slot, key);
}
