/* SPDX-License-Identifier: BSD-3-Clause */
/* crypt.h by a coprocessor beside the CPU. */
#include <wardmote/cbc.h>
#include "crypt.h"
#include "peripheral.h"

static void inverse(const void *schedule, wm_block128 *block)
{
    (void)schedule; /* the coprocessor has the key */
    peripheral_block(PERIPHERAL_DECRYPT, block);
}

static bool failed(const void *schedule)
{
    (void)schedule;
    return peripheral_failed();
}

static const wm_cipher_ops ops = {.decrypt = inverse, .failed = failed, .block_octets = 16};
static wm_cipher coprocessor;

void crypt_key(const uint8_t octets[16])
{
    peripheral_key(octets);
    coprocessor.ops = &ops;
}

wm_status crypt_blocks(uint8_t chain[16], uint8_t *data, uint8_t len)
{
    return wm_cbc_decrypt(&coprocessor, chain, data, len);
}
