/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira-1: blocks by the rounds of curupira1_rounds.c, for its three lengths of key. */
#include <wardmote/curupira1.h>
#include "curupira1_rounds.h"
#include "octet_keys.h"

#define BOTH_WAYS(bits, rounds)                                                                    \
    void wm_curupira1_##bits##_encrypt(const wm_curupira1_##bits *ctx, uint8_t block[12])          \
    {                                                                                              \
        wm_curupira_encrypt(ctx->round_key, (rounds), block);                                      \
    }                                                                                              \
    void wm_curupira1_##bits##_decrypt(const wm_curupira1_##bits *ctx, uint8_t block[12])          \
    {                                                                                              \
        wm_curupira_decrypt(ctx->round_key, (rounds), block);                                      \
    }                                                                                              \
    WM_OCTET_KEYS(curupira1_##bits, curupira1_##bits, (bits) / 8, 12)

BOTH_WAYS(96, 10)
BOTH_WAYS(144, 14)
BOTH_WAYS(192, 18)
