/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy hybrid: each AES block goes through the board's engine; see strategy_ccm.c for the rest.
 * The engine keeps the keys; here a key is the number of its slot. */
#include "engine.h"
#include "strategy.h"

typedef struct slot_key {
    wm_cipher cipher;
    uint8_t schedule; /* the number */
} slot_key;
WM_CIPHER_KEY_CHECK(slot_key);

static slot_key keys[WM_KEY_SLOTS];

static void encrypt(const void *schedule, wm_block128 *block)
{
    engine_encrypt(*(const uint8_t *)schedule, block);
}

static bool failed(const void *schedule)
{
    (void)schedule; /* one engine has all keys */
    return engine_failed();
}

static const wm_cipher_ops by_engine = {.encrypt = encrypt, .failed = failed, .block_octets = 16};

const wm_cipher *strategy_cipher(uint8_t slot)
{
    engine_begin();
    return &keys[slot].cipher;
}

void strategy_key(uint8_t slot, const uint8_t key[16])
{
    engine_key(slot, key);
    keys[slot].schedule = slot;
    keys[slot].cipher.ops = &by_engine;
}
