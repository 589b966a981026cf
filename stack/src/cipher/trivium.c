/* SPDX-License-Identifier: BSD-3-Clause */
/* Trivium, 16 or 32 steps at once: no tap looks at a bit younger than 65 steps.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are kept.
 * Invariants: straight code; no branch or address depends on key, initial value or data. */
#include <wardmote/ct.h>
#include <wardmote/trivium.h>
#include "../util/compiler.h"
#include "../util/unit.h"

#define A_UNITS (96 / WM_UNIT_BITS)  /* s_1..s_93: s_i is bit 96 - i */
#define B_UNITS (96 / WM_UNIT_BITS)  /* s_94..s_177: s_i is bit 96 + 93 - i */
#define C_UNITS (128 / WM_UNIT_BITS) /* s_178..s_288: s_i is bit 128 + 177 - i */
#define SETUP_STEPS (4 * 288)

#define SA(i) wm_bits(a, 96 - (i))
#define SB(i) wm_bits(b, 96 + 93 - (i))
#define SC(i) wm_bits(c, 128 + 177 - (i))

/* One body: it takes hundreds of instructions, and a call of it hardly more. */
WM_NOINLINE static wm_unit next(void *context)
{
    wm_unit *a = ((wm_trivium *)context)->state.wm_units, *b = a + A_UNITS, *c = b + B_UNITS;
    wm_unit t1 = SA(66) ^ SA(93), t2 = SB(162) ^ SB(177), t3 = SC(243) ^ SC(288);
    wm_unit z = t1 ^ t2 ^ t3;
    t1 ^= (SA(91) & SA(92)) ^ SB(171);
    t2 ^= (SB(175) & SB(176)) ^ SC(264);
    t3 ^= (SC(286) & SC(287)) ^ SA(69);
    wm_unit_push(a, A_UNITS, t3);
    wm_unit_push(b, B_UNITS, t1);
    wm_unit_push(c, C_UNITS, t2);
    return z;
}

/* Ten octets before which lie 16 bits that no tap ever sees. */
static void load(wm_unit *reg, const uint8_t octets[10])
{
    uint8_t padded[12] = {0};
    for (uint8_t i = 0; i < 10; i++) {
        padded[i + 2] = octets[i];
    }
    for (uint8_t i = 0; i < 12; i = (uint8_t)(i + WM_UNIT_OCTETS)) {
        *reg++ = wm_unit_load(padded + i);
    }
    wm_wipe(padded, sizeof padded);
}

void wm_trivium_init(wm_trivium *ctx, const uint8_t key[10], const uint8_t iv[10])
{
    wm_unit *a = ctx->state.wm_units, *c = a + A_UNITS + B_UNITS;
    load(a, key);
    load(a + A_UNITS, iv);
    for (uint8_t i = 0; i < C_UNITS; i++) {
        c[i] = 0;
    }
    c[16 / WM_UNIT_BITS] = (wm_unit)(UINT32_C(0xe0000) >> (16 - 16 % WM_UNIT_BITS)); /* s_286 = s_287 = s_288 = 1 */
    for (uint8_t i = 0; i < SETUP_STEPS / WM_UNIT_BITS; i++) {
        (void)next(ctx);
    }
    ctx->left = 0;
}

void wm_trivium_crypt(wm_trivium *ctx, uint8_t *data, uint16_t len)
{
    wm_unit_crypt(ctx, next, ctx->rest.wm_units, &ctx->left, data, len);
}
