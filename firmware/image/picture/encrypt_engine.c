/* SPDX-License-Identifier: BSD-3-Clause */
/* crypt.h by the AES engine of the radio, which only encrypts. */
#include <wardmote/cbc.h>
#include "crypt.h"
#include "engine.h"

#define SLOT 0

static void forward(const void *schedule, wm_block128 *block)
{
    (void)schedule; /* the engine has the key */
    engine_encrypt(SLOT, block);
}

static bool failed(const void *schedule)
{
    (void)schedule;
    return engine_failed();
}

static const wm_cipher_ops ops = {.encrypt = forward, .failed = failed, .block_octets = 16};
static wm_cipher engine;

void crypt_key(const uint8_t octets[16])
{
    engine_key(SLOT, octets);
    engine.ops = &ops;
}

wm_status crypt_blocks(uint8_t chain[16], uint8_t *data, uint8_t len)
{
    engine_begin();
    return wm_cbc_encrypt(&engine, chain, data, len);
}
