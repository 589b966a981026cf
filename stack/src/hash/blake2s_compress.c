/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F, RFC 7693 §3.2; names of the RFC in comments. The octets of the
 * block become words in place. */
#include "blake2s_compress.h"
#include <wardmote/octets.h>
#include "../util/dead_stack.h"
#include "../util/rotate.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK(192)

/* §2.7: which word of the message each half of G takes, round by round. */
static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* Half of the mixing function G (§3.1): one word of the message, two rotations. */
#define HALF(a, b, c, d, word, first, second)                                                      \
    do {                                                                                           \
        a += b + (word);                                                                           \
        d = wm_ror32(d ^ a, first);                                                                \
        c += d;                                                                                    \
        b = wm_ror32(b ^ c, second);                                                               \
    } while (0)

#define G(i, j, k, l)                                                                              \
    do {                                                                                           \
        uint32_t a = v[i], b = v[j], c = v[k], d = v[l];                                           \
        HALF(a, b, c, d, m[*s++], 16, 12);                                                         \
        HALF(a, b, c, d, m[*s++], 8, 7);                                                           \
        v[i] = a, v[j] = b, v[k] = c, v[l] = d;                                                    \
    } while (0)

WM_NOINLINE static void compress(wm_blake2s *ctx, uint32_t f0)
{
    uint32_t v[16];
    uint32_t *m = ctx->block.word;
    for (uint8_t i = 0; i < 16; i++) {
        m[i] = wm_load_le32(ctx->block.octet + 4 * i);
    }
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->h[i];
        v[i + 8] = wm_blake2s_iv[i];
    }
    v[12] ^= ctx->t[0];
    v[13] ^= ctx->t[1];
    v[14] ^= f0;
    const uint8_t *s = sigma[0];
    for (uint8_t round = 0; round < 10; round++) {
        G(0, 4, 8, 12);
        G(1, 5, 9, 13);
        G(2, 6, 10, 14);
        G(3, 7, 11, 15);
        G(0, 5, 10, 15);
        G(1, 6, 11, 12);
        G(2, 7, 8, 13);
        G(3, 4, 9, 14);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->h[i] ^= v[i] ^ v[i + 8];
    }
}

void wm_blake2s_compress(wm_blake2s *ctx, uint32_t f0)
{
    compress(ctx, f0);
    wipe_dead_stack();
}

#endif
