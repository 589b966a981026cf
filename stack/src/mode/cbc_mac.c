/* SPDX-License-Identifier: BSD-3-Clause */
/* CBC-MAC: E(... E(E(M_1) xor M_2) ... xor M_n), the last block filled up with zeros, which is no xor. CMAC and
 * XCBC-MAC treat the last block in their own way and then end as this does. */
#include <stddef.h>
#include <wardmote/cbc_mac.h>
#include <wardmote/ct.h>
#include "../util/xor.h"

void wm_cbc_mac_init(wm_cbc_mac *ctx, const wm_cipher128 *cipher, const void *key)
{
    ctx->cipher = cipher;
    ctx->key = key;
    ctx->fill = 0;
    for (uint8_t i = 0; i < 16; i++) {
        ctx->chain.octet[i] = 0;
    }
}

void wm_cbc_mac_update(wm_cbc_mac *ctx, const uint8_t *data, uint16_t len)
{
    if (ctx->cipher == NULL) {
        return;
    }
    while (len != 0) {
        if (ctx->fill == 16) {
            ctx->cipher->encrypt(ctx->key, &ctx->chain);
            ctx->fill = 0;
        }
        uint8_t n = (uint8_t)(16 - ctx->fill);
        if (len < n) {
            n = (uint8_t)len;
        }
        wm_xor(ctx->chain.octet + ctx->fill, data, n);
        ctx->fill = (uint8_t)(ctx->fill + n);
        data += n;
        len = (uint16_t)(len - n);
    }
}

/* Whether the message can end with a tag of that length. */
static wm_status may_end(const wm_cbc_mac *ctx, uint8_t tag_len)
{
    if (ctx->cipher == NULL) {
        return WM_ERR_STATE;
    }
    return tag_len >= WM_CBC_MAC_TAG_MIN && tag_len <= WM_CBC_MAC_TAG_MAX ? WM_OK : WM_ERR_PARAM;
}

wm_status wm_cbc_mac_final(wm_cbc_mac *ctx, uint8_t *tag, uint8_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    ctx->cipher->encrypt(ctx->key, &ctx->chain);
    for (uint8_t i = 0; i < tag_len; i++) {
        tag[i] = ctx->chain.octet[i];
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_OK;
}

wm_status wm_cbc_mac_verify(wm_cbc_mac *ctx, const uint8_t *tag, uint8_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    ctx->cipher->encrypt(ctx->key, &ctx->chain);
    uint8_t diff = wm_ct_diff(ctx->chain.octet, tag, tag_len);
    wm_wipe(ctx, sizeof *ctx);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}
