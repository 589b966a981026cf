/* SPDX-License-Identifier: BSD-3-Clause */
/* Ascon-Hash256, SP 800-232 §5.1; names of the standard in comments. */
#include <wardmote/ascon_hash256.h>
#include <wardmote/ct.h>
#include "ascon_permutation.h"

#define RATE 8
#define ROUNDS 12

void wm_ascon_hash256_init(wm_ascon_hash256 *ctx)
{
    /* The state after the first permutation, of IV 0x0000080100cc0002 and zeros: the same for every message (§5.1). */
    static const uint32_t first[5][2] = {{0xe934d681, 0x9b1e5494},
                                         {0x333751d2, 0x4bc3a01e},
                                         {0x6b34b81a, 0xae65396c},
                                         {0xd56a4db3, 0x3c7fd4a4},
                                         {0x06c5976d, 0x1a5c4649}};
    for (uint8_t i = 0; i < 5; i++) {
        ctx->state.s[i][0] = first[i][0];
        ctx->state.s[i][1] = first[i][1];
    }
    ctx->fill = 0;
}

void wm_ascon_hash256_update(wm_ascon_hash256 *ctx, const uint8_t *data, uint16_t len)
{
    while (len != 0) {
        if (ctx->fill == 0 && len >= RATE) {
            ctx->state.s[0][0] ^= wm_load_le32(data);
            ctx->state.s[0][1] ^= wm_load_le32(data + 4);
            data += RATE;
            len = (uint16_t)(len - RATE);
        } else {
            wm_ascon_xor_octet(&ctx->state, ctx->fill++, *data++);
            len--;
            if (ctx->fill != RATE) {
                continue;
            }
            ctx->fill = 0;
        }
        wm_ascon_permute(&ctx->state, ROUNDS);
    }
}

void wm_ascon_hash256_final(wm_ascon_hash256 *ctx, uint8_t digest[32])
{
    wm_ascon_xor_octet(&ctx->state, ctx->fill, 1); /* §2.1: pad with a bit 1 and zeros */
    for (uint8_t i = 0; i < WM_ASCON_HASH256_LEN; i = (uint8_t)(i + RATE)) {
        wm_ascon_permute(&ctx->state, ROUNDS);
        wm_store_le32(digest + i, ctx->state.s[0][0]);
        wm_store_le32(digest + i + 4, ctx->state.s[0][1]);
    }
    wm_wipe(ctx, sizeof *ctx);
}

void wm_ascon_hash256_digest(const uint8_t *data, uint16_t len, uint8_t digest[32])
{
    wm_ascon_hash256 ctx;
    wm_ascon_hash256_init(&ctx);
    wm_ascon_hash256_update(&ctx, data, len);
    wm_ascon_hash256_final(&ctx, digest);
}
