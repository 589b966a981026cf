/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of octets; behind the steps of every form, which they are compiled with. */
#ifndef WM_CIPHER_GRAIN128_PAIRS_H
#define WM_CIPHER_GRAIN128_PAIRS_H

#include "grain128_clock.h"

void wm_grain128_aad_pairs(wm_grain128 *ctx, const uint8_t *a, size_t pairs)
{
    for (; pairs != 0; pairs--) {
        uint32_t y = wm_grain128_separate(wm_grain128_clock(ctx));
        wm_grain128_authenticate(ctx, *a++, (uint8_t)(y >> 8));
        wm_grain128_authenticate(ctx, *a++, (uint8_t)(y >> 24));
    }
}

void wm_grain128_crypt_pairs(wm_grain128 *ctx, uint8_t *m, size_t pairs, uint8_t opening)
{
    for (; pairs != 0; pairs--) {
        uint32_t y = wm_grain128_separate(wm_grain128_clock(ctx));
        for (uint8_t i = 0; i < 2; i++) {
            uint8_t plain = (uint8_t)(*m ^ ((uint8_t)y & opening));
            *m++ ^= (uint8_t)y;
            wm_grain128_authenticate(ctx, plain, (uint8_t)(y >> 8));
            y >>= 16;
        }
    }
}

#endif
