/* SPDX-License-Identifier: BSD-3-Clause */
/* CTR.
 * References: NIST SP 800-38A §6.5, §B.1.
 * Invariants of a context: `counter` is T_j of the block to come, `stream` from octet `used` on
 * is keystream. */
#include <wardmote/ctr.h>
#include "../util/xor.h"

void wm_ctr_init(wm_ctr *ctx, const wm_cipher_function *forward, const void *key,
                 const uint8_t *counter)
{
    ctx->forward = forward;
    ctx->key = key;
    ctx->used = forward->block_octets;
    /* whole blocks are copied, also where the cipher's are shorter */
    for (uint8_t i = 0; i < WM_BLOCK_MAX; i++) {
        ctx->counter.octet[i] = i < forward->block_octets ? counter[i] : 0;
    }
}

static void next_block(wm_ctr *ctx)
{
    wm_block_copy(&ctx->stream, &ctx->counter);
    ctx->forward->apply(ctx->key, &ctx->stream);
    ctx->used = 0;
    uint8_t i = ctx->forward->block_octets;
    while (i != 0 && ++ctx->counter.octet[--i] == 0) { /* a carry */
    }
}

void wm_ctr_crypt(wm_ctr *ctx, uint8_t *data, uint16_t len)
{
    uint8_t b = ctx->forward->block_octets;
    while (len != 0) {
        if (ctx->used == b) {
            next_block(ctx);
        }
        uint8_t n = (uint8_t)(b - ctx->used);
        if (len < n) {
            n = (uint8_t)len;
        }
        wm_xor(data, ctx->stream.octet + ctx->used, n);
        ctx->used = (uint8_t)(ctx->used + n);
        data += n;
        len = (uint16_t)(len - n);
    }
}
