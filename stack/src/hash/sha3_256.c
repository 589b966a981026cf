/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA3-256, FIPS 202 §6.1: the sponge of §4 with Keccak-f[1600]. */
#include <wardmote/ct.h>
#include <wardmote/sha3_256.h>
#include "keccak_f1600.h"
#include "functions.h"

#define RATE 136

void wm_sha3_256_init(wm_sha3_256 *ctx)
{
    for (uint8_t i = 0; i < 25; i++) {
        ctx->state.lane[i][0] = 0;
        ctx->state.lane[i][1] = 0;
    }
    ctx->fill = 0;
}

void wm_sha3_256_update(wm_sha3_256 *ctx, const uint8_t *data, size_t len)
{
    while (len != 0) {
        uint8_t room = (uint8_t)(RATE - ctx->fill);
        uint8_t taken = len < room ? (uint8_t)len : room;
        wm_keccak_f1600_xor(&ctx->state, ctx->fill, data, taken);
        data += taken;
        len -= taken;
        ctx->fill = (uint8_t)(ctx->fill + taken);
        if (ctx->fill == RATE) {
            wm_keccak_f1600(&ctx->state);
            ctx->fill = 0;
        }
    }
}

void wm_sha3_256_final(wm_sha3_256 *ctx, uint8_t digest[32])
{
    /* §6.1: the bits 01 of SHA-3, then pad10*1 of §5.1, whose ends may meet in one octet. */
    uint8_t first = 0x06, last = 0x80;
    wm_keccak_f1600_xor(&ctx->state, ctx->fill, &first, 1);
    wm_keccak_f1600_xor(&ctx->state, RATE - 1, &last, 1);
    wm_keccak_f1600(&ctx->state);
    wm_keccak_f1600_extract(&ctx->state, 0, digest, WM_SHA3_256_LEN);
    wm_wipe(ctx, sizeof *ctx);
}

WM_HASH_DIGEST(sha3_256, 32)
