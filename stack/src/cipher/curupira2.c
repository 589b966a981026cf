/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira-2 with keys of 96 bits: blocks by the rounds of curupira1_rounds.c. */
#include <wardmote/curupira2.h>
#include "curupira1_rounds.h"
#include "octet_keys.h"

#define ROUNDS 10

void wm_curupira2_encrypt(const wm_curupira2 *ctx, uint8_t block[12])
{
    wm_curupira_encrypt(ctx->round_key, ROUNDS, block);
}

void wm_curupira2_decrypt(const wm_curupira2 *ctx, uint8_t block[12])
{
    wm_curupira_decrypt(ctx->round_key, ROUNDS, block);
}

WM_OCTET_KEYS(curupira2, curupira2, 12, 12)
