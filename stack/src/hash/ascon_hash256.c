/* SPDX-License-Identifier: BSD-3-Clause */
/* Ascon-Hash256, SP 800-232 §5.1; names of the standard in comments. */
#include <wardmote/ascon_hash256.h>
#include <wardmote/ct.h>
#include "ascon_permutation.h"
#include "functions.h"

#define RATE 8
#define ROUNDS 12

void wm_ascon_hash256_init(wm_ascon_hash256 *ctx)
{
    /* The state after the first permutation, of IV 0x0000080100cc0002 and zeros: the same for every
     * message (§5.1). */
    static const uint8_t first[40] = {
        0x81, 0xd6, 0x34, 0xe9, 0x94, 0x54, 0x1e, 0x9b, 0xd2, 0x51, 0x37, 0x33, 0x1e, 0xa0,
        0xc3, 0x4b, 0x1a, 0xb8, 0x34, 0x6b, 0x6c, 0x39, 0x65, 0xae, 0xb3, 0x4d, 0x6a, 0xd5,
        0xa4, 0xd4, 0x7f, 0x3c, 0x6d, 0x97, 0xc5, 0x06, 0x49, 0x46, 0x5c, 0x1a,
    };
    for (uint8_t i = 0; i < 5; i++) {
        ctx->state.lane[i][0] = 0;
        ctx->state.lane[i][1] = 0;
    }
    wm_ascon_xor(&ctx->state, 0, first, sizeof first);
    ctx->fill = 0;
}

void wm_ascon_hash256_update(wm_ascon_hash256 *ctx, const uint8_t *data, size_t len)
{
    while (len != 0) {
        uint8_t room = (uint8_t)(RATE - ctx->fill);
        uint8_t taken = len < room ? (uint8_t)len : room;
        wm_ascon_xor(&ctx->state, ctx->fill, data, taken);
        data += taken;
        len -= taken;
        ctx->fill = (uint8_t)(ctx->fill + taken);
        if (ctx->fill == RATE) {
            wm_ascon_permute(&ctx->state, ROUNDS);
            ctx->fill = 0;
        }
    }
}

void wm_ascon_hash256_final(wm_ascon_hash256 *ctx, uint8_t digest[32])
{
    uint8_t padding = 1; /* §2.1: a bit 1 and zeros */
    wm_ascon_xor(&ctx->state, ctx->fill, &padding, 1);
    for (uint8_t i = 0; i < WM_ASCON_HASH256_LEN; i = (uint8_t)(i + RATE)) {
        wm_ascon_permute(&ctx->state, ROUNDS);
        wm_ascon_extract(&ctx->state, 0, digest + i, RATE);
    }
    wm_wipe(ctx, sizeof *ctx);
}

WM_HASH_DIGEST(ascon_hash256, 32)
