/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-XCBC-MAC-96, RFC 3566 §4: CBC-MAC under K1 whose last block takes K2 or K3. */
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/xcbc_mac.h>
#include "../util/xor.h"
#include "bound.h"

/* K_n = E(K, n repeated 16 times) (§4 step 1). */
static void derive(const wm_cipher *cipher, wm_block128 *block, uint8_t n)
{
    for (uint8_t i = 0; i < 16; i++) {
        block->octet[i] = n;
    }
    cipher->ops->encrypt(wm_cipher_schedule(cipher), block);
}

wm_status wm_xcbc_mac_derive(wm_xcbc_mac_key *xcbc_key, wm_cipher *cipher)
{
    xcbc_key->cipher = NULL;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    if (cipher->ops->rekey == NULL || cipher->ops->block_octets != 16) {
        return WM_ERR_PARAM;
    }
    wm_block128 k1;
    derive(cipher, &k1, 1);
    derive(cipher, &xcbc_key->k2, 2);
    derive(cipher, &xcbc_key->k3, 3);
    wm_status status = WM_ERR_ENGINE;
    if (!wm_cipher_failed(cipher->ops, wm_cipher_schedule(cipher))) {
        cipher->ops->rekey(cipher + 1, k1.octet);
        xcbc_key->cipher = cipher;
        status = WM_OK;
    } else {
        wm_wipe(xcbc_key, sizeof *xcbc_key);
    }
    wm_wipe(&k1, sizeof k1);
    return status;
}

wm_status wm_xcbc_mac_init(wm_xcbc_mac *ctx, const wm_xcbc_mac_key *key)
{
    ctx->key = key;
    return wm_cbc_mac_init(&ctx->mac, key->cipher);
}

void wm_xcbc_mac_update(wm_xcbc_mac *ctx, const uint8_t *data, size_t len)
{
    wm_cbc_mac_update(&ctx->mac, data, len);
}

/* §4 step 4: K2 to a whole last block; a bit 1 and K3 to any other. */
static void last_block(wm_xcbc_mac *ctx)
{
    if (ctx->mac.fill == 16) {
        wm_block_xor(&ctx->mac.chain, &ctx->key->k2);
    } else {
        ctx->mac.chain.octet[ctx->mac.fill] ^= 0x80;
        wm_block_xor(&ctx->mac.chain, &ctx->key->k3);
    }
    ctx->key = NULL;
}

/* Whether the message can end with a tag of that length. */
static wm_status may_end(const wm_xcbc_mac *ctx, size_t tag_len)
{
    if (ctx->mac.ops == NULL) {
        return WM_ERR_STATE;
    }
    return tag_len == WM_XCBC_MAC_96_LEN ? WM_OK : WM_ERR_PARAM;
}

wm_status wm_xcbc_mac_final(wm_xcbc_mac *ctx, uint8_t *tag, size_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    last_block(ctx);
    return wm_cbc_mac_final(&ctx->mac, tag, tag_len);
}

wm_status wm_xcbc_mac_verify(wm_xcbc_mac *ctx, const uint8_t *tag, size_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    last_block(ctx);
    return wm_cbc_mac_verify(&ctx->mac, tag, tag_len);
}
