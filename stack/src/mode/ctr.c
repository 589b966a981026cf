/* SPDX-License-Identifier: BSD-3-Clause */
/* CTR.
 * References: NIST SP 800-38A §6.5, §B.1.
 * Invariants of a context: `counter` is T_j of the block to come, `stream` from octet `used` on
 * is keystream; `ops` is NULL where none was begun. */
#include <wardmote/ct.h>
#include <wardmote/ctr.h>
#include "../util/xor.h"
#include "bound.h"

wm_status wm_ctr_init(wm_ctr *ctx, const wm_cipher *cipher, const uint8_t *counter)
{
    ctx->ops = NULL;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    ctx->ops = cipher->ops;
    ctx->schedule = wm_cipher_schedule(cipher);
    ctx->used = cipher->ops->block_octets;
    /* whole blocks are copied, also where the cipher's are shorter */
    for (uint8_t i = 0; i < WM_BLOCK_MAX; i++) {
        ctx->counter.octet[i] = i < cipher->ops->block_octets ? counter[i] : 0;
    }
    return WM_OK;
}

static void next_block(wm_ctr *ctx)
{
    wm_block_copy(&ctx->stream, &ctx->counter);
    ctx->ops->encrypt(ctx->schedule, &ctx->stream);
    ctx->used = 0;
    uint8_t i = ctx->ops->block_octets;
    while (i != 0 && ++ctx->counter.octet[--i] == 0) { /* a carry */
    }
}

wm_status wm_ctr_crypt(wm_ctr *ctx, uint8_t *data, size_t len)
{
    if (ctx->ops == NULL) {
        return WM_ERR_STATE;
    }
    uint8_t *at = data, b = ctx->ops->block_octets;
    for (size_t left = len; left != 0;) {
        if (ctx->used == b) {
            next_block(ctx);
        }
        uint8_t n = (uint8_t)(b - ctx->used);
        if (left < n) {
            n = (uint8_t)left;
        }
        wm_xor(at, ctx->stream.octet + ctx->used, n);
        ctx->used = (uint8_t)(ctx->used + n);
        at += n;
        left -= n;
    }
    if (!wm_cipher_failed(ctx->ops, ctx->schedule)) {
        return WM_OK;
    }
    wm_wipe(ctx, sizeof *ctx);
    wm_wipe(data, len);
    return WM_ERR_ENGINE;
}
