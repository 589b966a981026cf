/* SPDX-License-Identifier: BSD-3-Clause */
/* Keystream for whole words; behind wm_trivium_clock of every form, which it is compiled with. */
#ifndef WM_CIPHER_TRIVIUM_WORDS_H
#define WM_CIPHER_TRIVIUM_WORDS_H

#include "trivium_clock.h"

void wm_trivium_words(wm_trivium *ctx, uint8_t *data, size_t words)
{
    for (; words != 0; words--) {
        uint32_t z = wm_trivium_clock(ctx);
        for (uint8_t i = 0; i < 4; i++) {
            *data++ ^= (uint8_t)z;
            z >>= 8;
        }
    }
}

#endif
