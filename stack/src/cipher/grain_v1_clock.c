/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Grain v1, 16 at once: no tap looks at any of the youngest 15 bits of the 80 of a
 * register.
 * References: M. Hell, T. Johansson, W. Meier, "Grain: a stream cipher for constrained
 * environments", eSTREAM 2006 (version 1); its names are kept.
 * Invariants: straight code; no branch or address depends on the state. */
#include "../util/dead_stack.h"
#include "grain_v1_clock.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK_16(72) /* products of bits */

/* Sixteen bits from bit `at` on, a constant. */
static inline uint16_t bits(const uint16_t reg[WM_GRAIN_V1_HALVES], unsigned at)
{
    unsigned by = at % 16;
    reg += at / 16;
    if (by == 0) {
        return reg[0];
    }
    return (uint16_t)(reg[0] >> by | (unsigned)reg[1] << (16 - by));
}

static inline void push(uint16_t reg[WM_GRAIN_V1_HALVES], uint16_t in)
{
    reg[0] = reg[1];
    reg[1] = reg[2];
    reg[2] = reg[3];
    reg[3] = reg[4];
    reg[4] = in;
}

#define B(i) bits(ctx->nfsr, (i))
#define S(i) bits(ctx->lfsr, (i))

/* h(x0..x4) of s_3, s_25, s_46, s_64 and b_63, with the products of x2 and of x3 taken together. */
static inline uint16_t output(const wm_grain_v1 *ctx)
{
    uint16_t x0 = S(3), x1 = S(25), x2 = S(46), x3 = S(64), x4 = B(63);
    uint16_t x04 = x0 ^ x4;
    uint16_t of_x2 = (uint16_t)(x3 ^ (x0 & (x1 ^ x3 ^ x4)) ^ (x4 & (x1 ^ x3)));
    uint16_t h = (uint16_t)(x1 ^ x4 ^ (x3 & x04) ^ (x2 & of_x2));
    return (uint16_t)(h ^ B(1) ^ B(2) ^ B(4) ^ B(10) ^ B(31) ^ B(43) ^ B(56));
}

static inline void advance(wm_grain_v1 *ctx)
{
    uint16_t f = (uint16_t)(S(62) ^ S(51) ^ S(38) ^ S(23) ^ S(13) ^ S(0));
    uint16_t b9 = B(9), b15 = B(15), b21 = B(21), b28 = B(28), b33 = B(33), b37 = B(37),
             b45 = B(45);
    uint16_t b52 = B(52), b60 = B(60), b63 = B(63);
    uint16_t b60_63 = b60 & b63, b33_37 = b33 & b37, b52_60 = b52 & b60, b21_28 = b21 & b28,
             b9_15 = b9 & b15;
    uint16_t g =
        (uint16_t)(S(0) ^ B(62) ^ b60 ^ b52 ^ b45 ^ b37 ^ b33 ^ b28 ^ b21 ^ B(14) ^ b9 ^ B(0));
    g ^= (uint16_t)(b60_63 ^ b33_37 ^ b9_15 ^ (b52_60 & b45) ^ (b33 & b21_28));
    g ^= (uint16_t)((b63 & b45 & b28 & b9) ^ (b52_60 & b33_37) ^ (b60_63 & b21 & b15));
    g ^= (uint16_t)((b60_63 & b52 & b45 & b37) ^ (b33 & b21_28 & b9_15) ^
                    (b52 & b45 & b33_37 & b21_28));
    push(ctx->lfsr, f);
    push(ctx->nfsr, g);
}

/* One function body: it takes hundreds of instructions, and a call adds hardly any. */
WM_NOINLINE static uint16_t step(wm_grain_v1 *ctx)
{
    uint16_t z = output(ctx);
    advance(ctx);
    return z;
}

uint16_t wm_grain_v1_clock(wm_grain_v1 *ctx)
{
    uint16_t z = step(ctx);
    wipe_dead_stack();
    return z;
}

void wm_grain_v1_pairs(wm_grain_v1 *ctx, uint8_t *data, size_t pairs)
{
    for (; pairs != 0; pairs--) {
        uint16_t z = step(ctx);
        *data++ ^= (uint8_t)z;
        *data++ ^= (uint8_t)(z >> 8);
    }
    wipe_dead_stack();
}

#endif
