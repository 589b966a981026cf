/* SPDX-License-Identifier: BSD-3-Clause */
/* Trivium: beginning, and octets of keystream. trivium_clock.c does the work.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are
 * kept.
 * Invariants: straight code; no branch or address depends on key, initial value or data. */
#include <wardmote/trivium.h>
#include "../util/dead_stack.h"
#include "trivium_clock.h"

#define SETUP_STEPS (4 * 288)

WM_DEAD_STACK(12 * sizeof(unsigned)) /* the steps */

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
    wm_unit *a = ctx->state.wm_units, *c = a + WM_TRIVIUM_A_UNITS + WM_TRIVIUM_B_UNITS;
    load(a, key);
    load(a + WM_TRIVIUM_A_UNITS, iv);
    for (uint8_t i = 0; i < WM_TRIVIUM_C_UNITS; i++) {
        c[i] = 0;
    }
    /* s_286 = s_287 = s_288 = 1 */
    c[16 / WM_UNIT_BITS] = (wm_unit)(UINT32_C(0xe0000) >> (16 - 16 % WM_UNIT_BITS));
    for (uint8_t i = 0; i < SETUP_STEPS / 32; i++) {
        (void)wm_trivium_clock(ctx);
    }
    ctx->left = 0;
    wipe_dead_stack();
}

void wm_trivium_crypt(wm_trivium *ctx, uint8_t *data, size_t len)
{
    for (; len != 0 && ctx->left != 0; len--) {
        *data++ ^= (uint8_t)ctx->rest;
        ctx->rest >>= 8;
        ctx->left--;
    }
    wm_trivium_words(ctx, data, len / 4);
    data += len - len % 4;
    len %= 4;
    if (len != 0) {
        uint32_t z = wm_trivium_clock(ctx);
        ctx->left = (uint8_t)(4 - len);
        for (; len != 0; len--) {
            *data++ ^= (uint8_t)z;
            z >>= 8;
        }
        ctx->rest = z;
    }
}
