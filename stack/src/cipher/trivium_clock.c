/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Trivium, 16 or 32 at once: no tap looks at a bit younger than 65 steps.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are
 * kept.
 * Invariants: straight code; no branch or address depends on the state. */
#include "../util/compiler.h"
#include "../util/unit.h"
#include "trivium_clock.h"

#ifndef WM_FORM_SMALL

#define SA(i) wm_bits(a, WM_TRIVIUM_A(i))
#define SB(i) wm_bits(b, WM_TRIVIUM_B(i))
#define SC(i) wm_bits(c, WM_TRIVIUM_C(i))

/* One function body: it takes hundreds of instructions, and a call adds hardly any. */
WM_NOINLINE static wm_unit step(wm_trivium *ctx)
{
    wm_unit *a = ctx->state.wm_units, *b = a + WM_TRIVIUM_A_UNITS, *c = b + WM_TRIVIUM_B_UNITS;
    wm_unit t1 = SA(66) ^ SA(93), t2 = SB(162) ^ SB(177), t3 = SC(243) ^ SC(288);
    wm_unit z = t1 ^ t2 ^ t3;
    t1 ^= (SA(91) & SA(92)) ^ SB(171);
    t2 ^= (SB(175) & SB(176)) ^ SC(264);
    t3 ^= (SC(286) & SC(287)) ^ SA(69);
    wm_unit_push(a, WM_TRIVIUM_A_UNITS, t3);
    wm_unit_push(b, WM_TRIVIUM_B_UNITS, t1);
    wm_unit_push(c, WM_TRIVIUM_C_UNITS, t2);
    return z;
}

uint32_t wm_trivium_clock(wm_trivium *ctx)
{
    uint32_t z = step(ctx);
#if WM_UNIT_BITS == 16
    z |= (uint32_t)step(ctx) << 16;
#endif
    return z;
}

#include "trivium_words.h"

#endif
