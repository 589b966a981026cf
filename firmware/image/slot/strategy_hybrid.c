/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy hybrid: each AES block goes through the board's engine; see strategy_ccm.c for the rest.
 * The engine keeps the keys; here a key is the number of its slot. */
#include <stddef.h>
#include "engine.h"
#include "strategy.h"

static const uint8_t key_number[WM_KEY_SLOTS] = {0, 1};

static void encrypt(const void *key, wm_block128 *block)
{
    engine_encrypt(*(const uint8_t *)key, block);
}

static const wm_cipher128 aes128_engine = {
    .name = ENGINE_CIPHER, .encrypt = encrypt, .encrypt2 = NULL};
const wm_cipher128 *const strategy_cipher = &aes128_engine;

bool strategy_cipher_failed(void)
{
    return engine_failed();
}

const void *strategy_key(uint8_t slot)
{
    return &key_number[slot];
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    engine_key(slot, key);
}
