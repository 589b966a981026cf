/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira's S-box without its table: three layers of two boxes of four bits.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007: boxes P and Q; between layers, the
 * lower half of the upper four bits changes places with the upper half of the lower four.
 * Invariants: no branch depends on x; the boxes are indexed by it (see curupira.h). */
#include "curupira_substituted.h"

#ifdef WM_FORM_SMALL

/* P in the upper four bits, Q in the lower. */
static const uint8_t boxes[16] = {0x39, 0xfe, 0xe5, 0x06, 0x5a, 0x42, 0xb3, 0xcc,
                                  0xdf, 0xa0, 0x94, 0x6d, 0x77, 0x8b, 0x21, 0x18};

uint8_t wm_curupira_substituted(uint8_t x)
{
    for (uint8_t layer = 3;;) {
        uint8_t upper = boxes[x >> 4], lower = boxes[x & 15];
        if (--layer == 1) { /* the middle one has Q where the others have P */
            x = (uint8_t)(upper << 4 | lower >> 4);
        } else {
            x = (uint8_t)((upper & 0xf0) | (lower & 0x0f));
        }
        if (layer == 0) {
            return x;
        }
        uint8_t t = (uint8_t)((x ^ x >> 2) & 0x0c);
        x = (uint8_t)(x ^ t ^ t << 2);
    }
}

#endif
