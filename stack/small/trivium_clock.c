/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Trivium in the least flash: its taps are data. src/cipher/trivium_clock.c says how
 * its registers lie.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are
 * kept.
 * Invariants: no branch or address depends on the state. */
#include "../src/cipher/trivium_clock.h"
#include "taps.h"

#ifdef WM_FORM_SMALL

WM_SUM_OF_PRODUCTS(sum, wm_unit, WM_UNIT_BITS)

#define A(i) WM_TRIVIUM_A(i)
#define B(i) (96 + WM_TRIVIUM_B(i))
#define C(i) (192 + WM_TRIVIUM_C(i)) /* 242 and older are out of reach of an octet, and no tap */

static const uint8_t Z[] = {1, A(66), 1, A(93), 1, B(162), 1, B(177), 1, C(243), 1, C(288), 0};
static const uint8_t T1[] = {1, A(66), 1, A(93), 2, A(91), A(92), 1, B(171), 0};
static const uint8_t T2[] = {1, B(162), 1, B(177), 2, B(175), B(176), 1, C(264), 0};
static const uint8_t T3[] = {1, C(243), 1, C(288), 2, C(286), C(287), 1, A(69), 0};

uint32_t wm_trivium_clock(wm_trivium *ctx)
{
    wm_unit *a = ctx->state.wm_units;
    uint32_t out = 0;
    for (uint8_t i = 0; i < 32; i = (uint8_t)(i + WM_UNIT_BITS)) {
        wm_unit z = sum(a, Z), t1 = sum(a, T1), t2 = sum(a, T2), t3 = sum(a, T3);
        wm_unit_push(a, WM_TRIVIUM_A_UNITS + WM_TRIVIUM_B_UNITS + WM_TRIVIUM_C_UNITS, t2);
        a[WM_TRIVIUM_A_UNITS - 1] = t3;
        a[WM_TRIVIUM_A_UNITS + WM_TRIVIUM_B_UNITS - 1] = t1;
        out |= (uint32_t)z << i;
    }
    return out;
}

#include "../src/cipher/trivium_words.h"

#endif
