/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and authenticator of Grain-128AEADv2 in the least flash: taps are data.
 * References: M. Hell, T. Johansson, A. Maximov, W. Meier, H. Yoshida, "Grain-128AEADv2 - A
 * lightweight AEAD stream cipher", NIST lightweight cryptography finalist, 2021, §2; its names
 * are kept.
 * Invariants: no branch or address depends on a secret. */
#include "../src/cipher/grain128_clock.h"
#include "taps.h"

#ifdef WM_FORM_SMALL

#define UNITS (128 / WM_UNIT_BITS)
#define MAC_UNITS (64 / WM_UNIT_BITS)

WM_SUM_OF_PRODUCTS(sum, wm_unit, WM_UNIT_BITS)

/* Where s_i is; b_i is at i. */
#define S(i) (128 + (i))

static const uint8_t Y[] = {2,     12, S(8), 2,  S(13), S(20), 2,     95, S(42), 2,  S(60),
                            S(79), 3,  12,   95, S(94), 1,     S(93), 1,  2,     1,  15,
                            1,     36, 1,    45, 1,     64,    1,     73, 1,     89, 0};
static const uint8_t F[] = {1, S(0), 1, S(7), 1, S(38), 1, S(70), 1, S(81), 1, S(96), 0};
static const uint8_t G[] = {1,  S(0), 1,  0,  1,  26, 1,  56, 1,  91, 1,  96, 2,  3,  67, 2,
                            11, 13,   2,  17, 18, 2,  27, 59, 2,  40, 48, 2,  61, 65, 2,  68,
                            84, 3,    22, 24, 25, 3,  70, 78, 82, 4,  88, 92, 93, 95, 0};

uint32_t wm_grain128_clock(wm_grain128 *ctx)
{
    wm_unit *b = ctx->state.wm_units;
    uint32_t out = 0;
    for (uint8_t i = 0; i < 32; i = (uint8_t)(i + WM_UNIT_BITS)) {
        wm_unit y = sum(b, Y), f = sum(b, F), g = sum(b, G);
        wm_unit_push(b, 2 * UNITS, f);
        b[UNITS - 1] = g;
        out |= (uint32_t)y << i;
    }
    return out;
}

void wm_grain128_authenticate(wm_grain128 *ctx, uint8_t octet, uint8_t pre_output)
{
    wm_unit *a = ctx->state.wm_units + 2 * UNITS, *r = a + MAC_UNITS;
    for (uint8_t bit = 8; bit != 0; bit--) {
        wm_unit mask = (wm_unit)(0 - (wm_unit)wm_opaque(octet & 1));
        wm_unit in = pre_output & 1;
        for (uint8_t i = MAC_UNITS; i-- != 0;) {
            wm_unit old = r[i];
            a[i] ^= old & mask;
            r[i] = (wm_unit)(old >> 1 | (wm_unit)(in << (WM_UNIT_BITS - 1)));
            in = old & 1;
        }
        octet >>= 1;
        pre_output >>= 1;
    }
}

#include "../src/cipher/grain128_pairs.h"

#endif
