/* SPDX-License-Identifier: BSD-3-Clause */
/* CMAC, SP 800-38B §6: CBC-MAC whose last block takes a subkey. */
#include <stddef.h>
#include <wardmote/cmac.h>
#include <wardmote/ct.h>
#include "../util/xor.h"

/* Twice `block` in GF(2^128) (§6.1 steps 2, 3). The bit that falls out is added as R_128 = x^7 + x^2 + x + 1 (§5.3) by
 * shifts: of a mask or a product clang makes a branch on the MSP430. */
static void twice(wm_block128 *block)
{
    uint8_t bit = block->octet[0] >> 7;
    uint8_t carry = (uint8_t)(bit << 7 | bit << 2 | bit << 1 | bit);
    for (uint8_t i = 0; i < 15; i++) {
        block->octet[i] = (uint8_t)(block->octet[i] << 1 | block->octet[i + 1] >> 7);
    }
    block->octet[15] = (uint8_t)(block->octet[15] << 1 ^ carry);
}

void wm_cmac_derive(wm_cmac_key *cmac_key, const wm_cipher128 *cipher, const void *key)
{
    cmac_key->cipher = cipher;
    cmac_key->key = key;
    for (uint8_t i = 0; i < 16; i++) {
        cmac_key->k1.octet[i] = 0;
    }
    cipher->encrypt(key, &cmac_key->k1);
    twice(&cmac_key->k1);
}

void wm_cmac_init(wm_cmac *ctx, const wm_cmac_key *key)
{
    ctx->key = key;
    wm_cbc_mac_init(&ctx->mac, key->cipher, key->key);
}

void wm_cmac_update(wm_cmac *ctx, const uint8_t *data, uint16_t len)
{
    wm_cbc_mac_update(&ctx->mac, data, len);
}

/* §6.2 step 4: K1 to a whole last block; a bit 1 and K2 to any other. */
static void last_block(wm_cmac *ctx)
{
    wm_block128 subkey;
    wm_block_copy(&subkey, &ctx->key->k1);
    if (ctx->mac.fill != 16) {
        ctx->mac.chain.octet[ctx->mac.fill] ^= 0x80;
        twice(&subkey);
    }
    wm_block_xor(&ctx->mac.chain, &subkey);
    wm_wipe(&subkey, sizeof subkey);
}

/* Whether the message can end with a tag of that length. */
static wm_status may_end(const wm_cmac *ctx, uint8_t tag_len)
{
    if (ctx->key == NULL) {
        return WM_ERR_STATE;
    }
    return tag_len >= WM_CBC_MAC_TAG_MIN && tag_len <= WM_CBC_MAC_TAG_MAX ? WM_OK : WM_ERR_PARAM;
}

wm_status wm_cmac_final(wm_cmac *ctx, uint8_t *tag, uint8_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    last_block(ctx);
    ctx->key = NULL;
    return wm_cbc_mac_final(&ctx->mac, tag, tag_len);
}

wm_status wm_cmac_verify(wm_cmac *ctx, const uint8_t *tag, uint8_t tag_len)
{
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    last_block(ctx);
    ctx->key = NULL;
    return wm_cbc_mac_verify(&ctx->mac, tag, tag_len);
}
