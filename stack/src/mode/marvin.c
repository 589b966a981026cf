/* SPDX-License-Identifier: BSD-3-Clause */
/* Marvin: masked sum of the blocks, encrypted. */
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/marvin.h>
#include "bound.h"
#include "marvin_sum.h"

#define CONSTANT 0x2a /* c of Marvin: what R is made from */

wm_status wm_marvin_derive(wm_marvin_key *marvin_key, const wm_cipher *cipher)
{
    marvin_key->cipher = NULL;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    if (cipher->ops->block_octets != WM_CURUPIRA_BLOCK_LEN) {
        return WM_ERR_PARAM;
    }
    wm_block128 block;
    for (uint8_t i = 0; i < 11; i++) {
        block.octet[i] = 0;
    }
    block.octet[11] = CONSTANT;
    cipher->ops->encrypt(wm_cipher_schedule(cipher), &block);
    block.octet[11] ^= CONSTANT;
    for (uint8_t i = 0; i < 12; i++) {
        marvin_key->r.octet[i] = block.octet[i];
    }
    wm_wipe(&block, sizeof block);
    if (wm_cipher_failed(cipher->ops, wm_cipher_schedule(cipher))) {
        wm_wipe(marvin_key, sizeof *marvin_key);
        return WM_ERR_ENGINE;
    }
    marvin_key->cipher = cipher;
    return WM_OK;
}

wm_status wm_marvin_init(wm_marvin *ctx, const wm_marvin_key *key)
{
    ctx->ops = NULL;
    if (!wm_cipher_ready(key->cipher)) {
        return WM_ERR_STATE;
    }
    ctx->ops = key->cipher->ops;
    ctx->schedule = wm_cipher_schedule(key->cipher);
    wm_marvin_sum_begin(&ctx->sum, &key->r);
    return WM_OK;
}

void wm_marvin_update(wm_marvin *ctx, const uint8_t *data, size_t len)
{
    if (ctx->ops != NULL) {
        wm_marvin_sum_update(&ctx->sum, data, len);
    }
}

/* The longest tag of the given length's code; wipes ctx. */
static wm_status finish(wm_marvin *ctx, wm_block128 *tag, size_t tag_len)
{
    if (ctx->ops == NULL) {
        return WM_ERR_STATE;
    }
    if (!wm_marvin_tag_len_valid(tag_len)) {
        return WM_ERR_PARAM;
    }
    wm_marvin_sum_end(&ctx->sum, (uint8_t)tag_len);
    for (uint8_t i = 0; i < 12; i++) {
        tag->octet[i] = ctx->sum.sum.octet[i];
    }
    ctx->ops->encrypt(ctx->schedule, tag);
    bool failed = wm_cipher_failed(ctx->ops, ctx->schedule);
    wm_wipe(ctx, sizeof *ctx);
    return failed ? WM_ERR_ENGINE : WM_OK;
}

wm_status wm_marvin_final(wm_marvin *ctx, uint8_t *tag, size_t tag_len)
{
    wm_block128 whole;
    wm_status status = finish(ctx, &whole, tag_len);
    if (status == WM_OK) {
        for (uint8_t i = 0; i < tag_len; i++) {
            tag[i] = whole.octet[i];
        }
    }
    wm_wipe(&whole, sizeof whole);
    return status;
}

wm_status wm_marvin_verify(wm_marvin *ctx, const uint8_t *tag, size_t tag_len)
{
    wm_block128 whole;
    wm_status status = finish(ctx, &whole, tag_len);
    if (status == WM_OK) {
        status = wm_ct_diff(whole.octet, tag, tag_len) == 0 ? WM_OK : WM_ERR_SECURITY;
    }
    wm_wipe(&whole, sizeof whole);
    return status;
}
