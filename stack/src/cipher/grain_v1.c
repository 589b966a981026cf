/* SPDX-License-Identifier: BSD-3-Clause */
/* Grain v1: beginning, and octets of keystream. grain_v1_clock.c does the work.
 * References: M. Hell, T. Johansson, W. Meier, "Grain: a stream cipher for constrained
 * environments", eSTREAM 2006 (version 1); its names are kept.
 * Invariants: straight code; no branch or address depends on key, initial value or data. */
#include <wardmote/grain_v1.h>
#include <wardmote/octets.h>
#include "../util/dead_stack.h"
#include "grain_v1_clock.h"

#define SETUP_STEPS 160

WM_DEAD_STACK(24 * sizeof(unsigned)) /* the steps */

void wm_grain_v1_init(wm_grain_v1 *ctx, const uint8_t key[10], const uint8_t iv[8])
{
    for (uint8_t i = 0; i < WM_GRAIN_V1_HALVES; i++) {
        ctx->nfsr[i] = wm_load_le16(key + 2 * i);
    }
    for (uint8_t i = 0; i < WM_GRAIN_V1_HALVES - 1; i++) {
        ctx->lfsr[i] = wm_load_le16(iv + 2 * i);
    }
    ctx->lfsr[WM_GRAIN_V1_HALVES - 1] = 0xffff;
    for (uint8_t i = 0; i < SETUP_STEPS / 16; i++) {
        uint16_t z = wm_grain_v1_clock(ctx);
        ctx->nfsr[WM_GRAIN_V1_HALVES - 1] ^= z;
        ctx->lfsr[WM_GRAIN_V1_HALVES - 1] ^= z;
    }
    ctx->left = 0;
    wipe_dead_stack();
}

void wm_grain_v1_crypt(wm_grain_v1 *ctx, uint8_t *data, size_t len)
{
    if (len != 0 && ctx->left != 0) {
        *data++ ^= (uint8_t)ctx->rest;
        ctx->left = 0;
        len--;
    }
    wm_grain_v1_pairs(ctx, data, len / 2);
    if (len % 2 != 0) {
        uint16_t stream = wm_grain_v1_clock(ctx);
        data[len - 1] ^= (uint8_t)stream;
        ctx->rest = (uint16_t)(stream >> 8);
        ctx->left = 1;
    }
    wipe_dead_stack();
}
