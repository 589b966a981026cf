/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack with every step of a group of four written out.
 * References: Skipjack specification 2.0: rules A and B, permutation G. Steps go 8 by rule A, 8
 * by B, 8 by A, 8 by B.
 * Invariants: no branch depends on key or block; F is indexed by both (see skipjack.h). The
 * counter and the place in the key are public.
 *
 * Words w1..w4 are named a..d and stay where they are: a step changes two of them and the names
 * move on, back in place after four steps. */
#include <wardmote/octets.h>
#include "skipjack_f.h"

/* G with four octets of the cryptovariable: a Feistel cipher of four rounds on the two octets of a
 * word. */
static inline uint16_t g(uint16_t w, const uint8_t cv[4])
{
    uint8_t g1 = (uint8_t)(w >> 8), g2 = (uint8_t)w;
    g1 ^= wm_skipjack_f[(uint8_t)(g2 ^ cv[0])];
    g2 ^= wm_skipjack_f[(uint8_t)(g1 ^ cv[1])];
    g1 ^= wm_skipjack_f[(uint8_t)(g2 ^ cv[2])];
    g2 ^= wm_skipjack_f[(uint8_t)(g1 ^ cv[3])];
    return (uint16_t)((unsigned)g1 << 8 | g2);
}

static inline uint16_t g_inverse(uint16_t w, const uint8_t cv[4])
{
    uint8_t g1 = (uint8_t)(w >> 8), g2 = (uint8_t)w;
    g2 ^= wm_skipjack_f[(uint8_t)(g1 ^ cv[3])];
    g1 ^= wm_skipjack_f[(uint8_t)(g2 ^ cv[2])];
    g2 ^= wm_skipjack_f[(uint8_t)(g1 ^ cv[1])];
    g1 ^= wm_skipjack_f[(uint8_t)(g2 ^ cv[0])];
    return (uint16_t)((unsigned)g1 << 8 | g2);
}

/* Octets of the next step: four on, of ten. */
static inline uint8_t after(uint8_t at)
{
    return (uint8_t)(at >= 6 ? at - 6 : at + 4);
}

static inline uint8_t before(uint8_t at)
{
    return (uint8_t)(at >= 4 ? at - 4 : at + 6);
}

/* Rule A: w1 becomes G(w1) ^ w4 ^ counter, w2 becomes G(w1), the rest moves on. Where the names
 * move with it, w1 takes in its own new value (the next w2) and w4 that value and the counter (the
 * next w1). */
#define RULE_A(w1, w4)                                                                             \
    (w1) = g((w1), cv + at);                                                                       \
    (w4) ^= (uint16_t)((w1) ^ counter);                                                            \
    counter++;                                                                                     \
    at = after(at)

/* Rule B: w2 becomes G(w1), w3 becomes w1 ^ w2 ^ counter, the rest moves on. */
#define RULE_B(w1, w2)                                                                             \
    (w2) ^= (uint16_t)((w1) ^ counter);                                                            \
    (w1) = g((w1), cv + at);                                                                       \
    counter++;                                                                                     \
    at = after(at)

#define INVERSE_A(w1, w4)                                                                          \
    at = before(at);                                                                               \
    counter--;                                                                                     \
    (w4) ^= (uint16_t)((w1) ^ counter);                                                            \
    (w1) = g_inverse((w1), cv + at)

#define INVERSE_B(w1, w2)                                                                          \
    at = before(at);                                                                               \
    counter--;                                                                                     \
    (w1) = g_inverse((w1), cv + at);                                                               \
    (w2) ^= (uint16_t)((w1) ^ counter)

void wm_skipjack_encrypt(const wm_skipjack *ctx, uint8_t block[8])
{
    const uint8_t *cv = ctx->cv;
    uint16_t a = wm_load_be16(block), b = wm_load_be16(block + 2);
    uint16_t c = wm_load_be16(block + 4), d = wm_load_be16(block + 6);
    uint16_t counter = 1;
    uint8_t at = 0;
    while (counter <= 32) {
        if (((counter - 1) & 8) == 0) {
            RULE_A(a, d);
            RULE_A(d, c);
            RULE_A(c, b);
            RULE_A(b, a);
        } else {
            RULE_B(a, b);
            RULE_B(d, a);
            RULE_B(c, d);
            RULE_B(b, c);
        }
    }
    wm_store_be16(block, a);
    wm_store_be16(block + 2, b);
    wm_store_be16(block + 4, c);
    wm_store_be16(block + 6, d);
}

void wm_skipjack_decrypt(const wm_skipjack *ctx, uint8_t block[8])
{
    const uint8_t *cv = ctx->cv;
    uint16_t a = wm_load_be16(block), b = wm_load_be16(block + 2);
    uint16_t c = wm_load_be16(block + 4), d = wm_load_be16(block + 6);
    uint16_t counter = 33;
    uint8_t at = 32 * 4 % 10;
    while (counter > 1) {
        if (((counter - 2) & 8) == 0) {
            INVERSE_A(b, a);
            INVERSE_A(c, b);
            INVERSE_A(d, c);
            INVERSE_A(a, d);
        } else {
            INVERSE_B(b, c);
            INVERSE_B(c, d);
            INVERSE_B(d, a);
            INVERSE_B(a, b);
        }
    }
    wm_store_be16(block, a);
    wm_store_be16(block + 2, b);
    wm_store_be16(block + 4, c);
    wm_store_be16(block + 6, d);
}
