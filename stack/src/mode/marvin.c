/* SPDX-License-Identifier: BSD-3-Clause */
/* Marvin: masked sum of the blocks, encrypted. */
#include <wardmote/ct.h>
#include <wardmote/marvin.h>
#include "marvin_sum.h"

#define CONSTANT 0x2a /* c of Marvin: what R is made from */

wm_status wm_marvin_derive(wm_marvin_key *marvin_key, const wm_cipher_function *cipher,
                           const void *key)
{
    if (cipher->block_octets != WM_CURUPIRA_BLOCK_LEN) {
        return WM_ERR_PARAM;
    }
    wm_block128 block;
    for (uint8_t i = 0; i < 11; i++) {
        block.octet[i] = 0;
    }
    block.octet[11] = CONSTANT;
    cipher->apply(key, &block);
    block.octet[11] ^= CONSTANT;
    for (uint8_t i = 0; i < 12; i++) {
        marvin_key->r.octet[i] = block.octet[i];
    }
    marvin_key->cipher = cipher;
    marvin_key->key = key;
    wm_wipe(&block, sizeof block);
    return WM_OK;
}

void wm_marvin_init(wm_marvin *ctx, const wm_marvin_key *key)
{
    ctx->key = key;
    wm_marvin_sum_begin(&ctx->sum, &key->r);
}

void wm_marvin_update(wm_marvin *ctx, const uint8_t *data, uint16_t len)
{
    wm_marvin_sum_update(&ctx->sum, data, len);
}

/* The longest tag of the given length's code; wipes ctx. */
static void finish(wm_marvin *ctx, wm_block128 *tag, uint8_t tag_len)
{
    wm_marvin_sum_end(&ctx->sum, tag_len);
    for (uint8_t i = 0; i < 12; i++) {
        tag->octet[i] = ctx->sum.sum.octet[i];
    }
    ctx->key->cipher->apply(ctx->key->key, tag);
    wm_wipe(ctx, sizeof *ctx);
}

wm_status wm_marvin_final(wm_marvin *ctx, uint8_t *tag, uint8_t tag_len)
{
    if (!wm_marvin_tag_len_valid(tag_len)) {
        return WM_ERR_PARAM;
    }
    wm_block128 whole;
    finish(ctx, &whole, tag_len);
    for (uint8_t i = 0; i < tag_len; i++) {
        tag[i] = whole.octet[i];
    }
    wm_wipe(&whole, sizeof whole);
    return WM_OK;
}

wm_status wm_marvin_verify(wm_marvin *ctx, const uint8_t *tag, uint8_t tag_len)
{
    if (!wm_marvin_tag_len_valid(tag_len)) {
        return WM_ERR_PARAM;
    }
    wm_block128 whole;
    finish(ctx, &whole, tag_len);
    uint8_t diff = wm_ct_diff(whole.octet, tag, tag_len);
    wm_wipe(&whole, sizeof whole);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}
