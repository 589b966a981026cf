/* SPDX-License-Identifier: BSD-3-Clause */
/* CBC-MAC: E(... E(E(M_1) xor M_2) ... xor M_n), the last block filled up with zeros, which is no
 * xor. CMAC and XCBC-MAC treat the last block in their own way and then end as this does. */
#include <stddef.h>
#include <wardmote/cbc_mac.h>
#include <wardmote/ct.h>
#include "../util/xor.h"
#include "bound.h"

#ifdef WM_FORM_SMALL
#define CHAINS(ops, data) false
#else
/* Whether the cipher goes along the chain by itself, through data at that address. */
#define CHAINS(ops, data)                                                                          \
    ((ops)->chain != NULL && ((uintptr_t)(data) & (_Alignof(wm_block128) - 1)) == 0)
#endif

wm_status wm_cbc_mac_init(wm_cbc_mac *ctx, const wm_cipher *cipher)
{
    ctx->ops = NULL;
    ctx->block_octets = 0;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    ctx->ops = cipher->ops;
    ctx->schedule = wm_cipher_schedule(cipher);
    ctx->fill = 0;
    ctx->block_octets = cipher->ops->block_octets;
    ctx->failed = false;
    for (uint8_t i = 0; i < WM_BLOCK_MAX; i++) {
        ctx->chain.octet[i] = 0;
    }
    return WM_OK;
}

void wm_cbc_mac_update(wm_cbc_mac *ctx, const uint8_t *data, size_t len)
{
    uint8_t b = ctx->block_octets, fill = ctx->fill;
    if (b == 0) { /* never begun, or ended */
        return;
    }
    while (len != 0) {
        if (fill == b) {
            if (len >= sizeof(wm_block128) && CHAINS(ctx->ops, data)) {
                const size_t blocks = len / sizeof(wm_block128);
                ctx->ops->chain(ctx->schedule, &ctx->chain, (const void *)data, blocks);
                data += blocks * sizeof(wm_block128);
                len %= sizeof(wm_block128);
                continue;
            }
            ctx->ops->encrypt(ctx->schedule, &ctx->chain);
            fill = 0;
        }
        uint8_t n = (uint8_t)(b - fill);
        if (len < n) {
            n = (uint8_t)len;
        }
        wm_xor(ctx->chain.octet + fill, data, n);
        fill = (uint8_t)(fill + n);
        data += n;
        len -= n;
    }
    ctx->fill = fill;
    if (wm_cipher_failed(ctx->ops, ctx->schedule)) {
        ctx->failed = true;
    }
}

/* Whether the message can end with a tag of that length. */
static wm_status may_end(const wm_cbc_mac *ctx, size_t tag_len)
{
    if (ctx->ops == NULL) {
        return WM_ERR_STATE;
    }
    return tag_len >= WM_CBC_MAC_TAG_MIN && tag_len <= ctx->block_octets ? WM_OK : WM_ERR_PARAM;
}

/* The last block. A message that the cipher failed at is over, without a tag. */
static wm_status end(wm_cbc_mac *ctx, size_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    ctx->ops->encrypt(ctx->schedule, &ctx->chain);
    if (wm_cipher_failed(ctx->ops, ctx->schedule) || ctx->failed) {
        wm_wipe(ctx, sizeof *ctx);
        return WM_ERR_ENGINE;
    }
    return WM_OK;
}

wm_status wm_cbc_mac_final(wm_cbc_mac *ctx, uint8_t *tag, size_t tag_len)
{
    wm_status status = end(ctx, tag_len);
    if (status == WM_OK) {
        wm_copy(tag, ctx->chain.octet, (uint8_t)tag_len);
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_cbc_mac_verify(wm_cbc_mac *ctx, const uint8_t *tag, size_t tag_len)
{
    wm_status status = end(ctx, tag_len);
    if (status == WM_OK) {
        status = wm_ct_diff(ctx->chain.octet, tag, tag_len) == 0 ? WM_OK : WM_ERR_SECURITY;
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}
