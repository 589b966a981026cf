/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Grain v1 in the least flash: its taps are data.
 * References: M. Hell, T. Johansson, W. Meier, "Grain: a stream cipher for constrained
 * environments", eSTREAM 2006 (version 1); its names are kept.
 * Invariants: no branch or address depends on the state. */
#include <stddef.h>
#include "../src/cipher/grain_v1_clock.h"
#include "taps.h"

#ifdef WM_FORM_SMALL

_Static_assert(offsetof(wm_grain_v1, lfsr) == 2 * WM_GRAIN_V1_HALVES,
               "one register behind the other");

WM_SUM_OF_PRODUCTS(sum, uint16_t, 16)

#define S(i) (80 + (i))

/* h(x0..x4) of s_3, s_25, s_46, s_64 and b_63, and the linear taps. */
static const uint8_t OUTPUT[] = {1,     1,     1,     2,     1,     4,     1,    10,    1,    31,
                                 1,     43,    1,     56,    1,     S(25), 1,    63,    2,    S(3),
                                 S(64), 2,     S(46), S(64), 2,     S(64), 63,   3,     S(3), S(25),
                                 S(46), 3,     S(3),  S(46), S(64), 3,     S(3), S(46), 63,   3,
                                 S(25), S(46), 63,    3,     S(46), S(64), 63,   0};
static const uint8_t F[] = {1, S(62), 1, S(51), 1, S(38), 1, S(23), 1, S(13), 1, S(0), 0};
static const uint8_t G[] = {1,  S(0), 1,  62, 1,  60, 1,  52, 1,  45, 1,  37, 1,  33, 1, 28,
                            1,  21,   1,  14, 1,  9,  1,  0,  2,  63, 60, 2,  37, 33, 2, 15,
                            9,  3,    60, 52, 45, 3,  33, 28, 21, 4,  63, 45, 28, 9,  4, 60,
                            52, 37,   33, 4,  63, 60, 21, 15, 5,  63, 60, 52, 45, 37, 5, 33,
                            28, 21,   15, 9,  6,  52, 45, 37, 33, 28, 21, 0};

uint16_t wm_grain_v1_clock(wm_grain_v1 *ctx)
{
    uint16_t *b = ctx->nfsr, *s = ctx->lfsr;
    const uint16_t *both = (const void *)ctx;
    uint16_t z = sum(both, OUTPUT), f = sum(both, F), g = sum(both, G);
    for (uint8_t i = 1; i < WM_GRAIN_V1_HALVES; i++) {
        b[i - 1] = b[i];
        s[i - 1] = s[i];
    }
    b[WM_GRAIN_V1_HALVES - 1] = g;
    s[WM_GRAIN_V1_HALVES - 1] = f;
    return z;
}

void wm_grain_v1_pairs(wm_grain_v1 *ctx, uint8_t *data, size_t pairs)
{
    for (; pairs != 0; pairs--) {
        uint16_t z = wm_grain_v1_clock(ctx);
        *data++ ^= (uint8_t)z;
        *data++ ^= (uint8_t)(z >> 8);
    }
}

#endif
