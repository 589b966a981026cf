/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira-2 with keys of 96 bits: blocks by the rounds of curupira1_rounds.c. */
#include <wardmote/curupira2.h>
#include "curupira1_rounds.h"

#define ROUNDS 10

void wm_curupira2_encrypt(const wm_curupira2 *ctx, uint8_t block[12])
{
    wm_curupira_encrypt(ctx->round_key, ROUNDS, block);
}

void wm_curupira2_decrypt(const wm_curupira2 *ctx, uint8_t block[12])
{
    wm_curupira_decrypt(ctx->round_key, ROUNDS, block);
}

static void forward(const void *key, wm_block128 *block)
{
    wm_curupira2_encrypt(key, block->octet);
}

static void inverse(const void *key, wm_block128 *block)
{
    wm_curupira2_decrypt(key, block->octet);
}

const wm_cipher_function wm_curupira2_forward = {"curupira2", forward, 12};
const wm_cipher_function wm_curupira2_inverse = {"curupira2 inverse", inverse, 12};
