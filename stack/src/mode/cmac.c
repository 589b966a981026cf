/* SPDX-License-Identifier: BSD-3-Clause */
/* CMAC, SP 800-38B §6: CBC-MAC whose last block takes a subkey.
 * Departs: over blocks of 12 octets too, of which §5.3 says nothing; double_block.c has the
 * polynomial. */
#include <stddef.h>
#include <wardmote/cmac.h>
#include <wardmote/ct.h>
#include "../util/xor.h"
#include "bound.h"
#include "double_block.h"

wm_status wm_cmac_derive(wm_cmac_key *cmac_key, const wm_cipher *cipher)
{
    cmac_key->cipher = NULL;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    const void *schedule = wm_cipher_schedule(cipher);
    for (uint8_t i = 0; i < WM_BLOCK_MAX; i++) {
        cmac_key->k1.octet[i] = 0;
    }
    cipher->ops->encrypt(schedule, &cmac_key->k1);
    if (wm_cipher_failed(cipher->ops, schedule)) {
        wm_wipe(cmac_key, sizeof *cmac_key);
        return WM_ERR_ENGINE;
    }
    wm_double_block(&cmac_key->k1, &cmac_key->k1, cipher->ops->block_octets);
    cmac_key->cipher = cipher;
    return WM_OK;
}

wm_status wm_cmac_init(wm_cmac *ctx, const wm_cmac_key *key)
{
    ctx->key = key;
    return wm_cbc_mac_init(&ctx->mac, key->cipher);
}

void wm_cmac_update(wm_cmac *ctx, const uint8_t *data, size_t len)
{
    wm_cbc_mac_update(&ctx->mac, data, len);
}

/* §6.2 step 4: K1 to a whole last block; a bit 1 and K2 to any other. */
static void last_block(wm_cmac *ctx)
{
    wm_block128 k2;
    if (ctx->mac.fill == ctx->mac.block_octets) {
        wm_block_xor(&ctx->mac.chain, &ctx->key->k1);
        return;
    }
    ctx->mac.chain.octet[ctx->mac.fill] ^= 0x80;
    wm_double_block(&k2, &ctx->key->k1, ctx->mac.block_octets);
    wm_block_xor(&ctx->mac.chain, &k2);
    wm_wipe(&k2, sizeof k2);
}

/* Whether the message can end with a tag of that length. */
static wm_status may_end(const wm_cmac *ctx, size_t tag_len)
{
    if (ctx->mac.ops == NULL) {
        return WM_ERR_STATE;
    }
    return tag_len >= WM_CBC_MAC_TAG_MIN && tag_len <= ctx->mac.block_octets ? WM_OK : WM_ERR_PARAM;
}

wm_status wm_cmac_final(wm_cmac *ctx, uint8_t *tag, size_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    last_block(ctx);
    ctx->key = NULL;
    return wm_cbc_mac_final(&ctx->mac, tag, tag_len);
}

wm_status wm_cmac_verify(wm_cmac *ctx, const uint8_t *tag, size_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    last_block(ctx);
    ctx->key = NULL;
    return wm_cbc_mac_verify(&ctx->mac, tag, tag_len);
}
