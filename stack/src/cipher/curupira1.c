/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira-1: blocks by the rounds of curupira1_rounds.c, for its three lengths of key. */
#include <wardmote/curupira1.h>
#include "curupira1_rounds.h"

#define BOTH_WAYS(bits, rounds)                                                                    \
    void wm_curupira1_##bits##_encrypt(const wm_curupira1_##bits *ctx, uint8_t block[12])          \
    {                                                                                              \
        wm_curupira_encrypt(ctx->round_key, (rounds), block);                                      \
    }                                                                                              \
    void wm_curupira1_##bits##_decrypt(const wm_curupira1_##bits *ctx, uint8_t block[12])          \
    {                                                                                              \
        wm_curupira_decrypt(ctx->round_key, (rounds), block);                                      \
    }                                                                                              \
    static void forward_##bits(const void *key, wm_block128 *block)                                \
    {                                                                                              \
        wm_curupira1_##bits##_encrypt(key, block->octet);                                          \
    }                                                                                              \
    static void inverse_##bits(const void *key, wm_block128 *block)                                \
    {                                                                                              \
        wm_curupira1_##bits##_decrypt(key, block->octet);                                          \
    }

BOTH_WAYS(96, 10)
BOTH_WAYS(144, 14)
BOTH_WAYS(192, 18)

const wm_cipher_function wm_curupira1_96_forward = {"curupira1-96", forward_96, 12};
const wm_cipher_function wm_curupira1_96_inverse = {"curupira1-96 inverse", inverse_96, 12};
const wm_cipher_function wm_curupira1_144_forward = {"curupira1-144", forward_144, 12};
const wm_cipher_function wm_curupira1_144_inverse = {"curupira1-144 inverse", inverse_144, 12};
const wm_cipher_function wm_curupira1_192_forward = {"curupira1-192", forward_192, 12};
const wm_cipher_function wm_curupira1_192_inverse = {"curupira1-192 inverse", inverse_192, 12};
