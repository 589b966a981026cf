/* SPDX-License-Identifier: BSD-3-Clause */
/* HMAC, RFC 2104 §2: H(K xor opad, H(K xor ipad, text)), names of the RFC in comments. */
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/hmac.h>

#define IPAD 0x36
#define OPAD 0x5c
#define LEAST_TAG 10 /* §5: 80 bits */

void wm_hmac_init(wm_hmac *ctx, const wm_hash *hash, const uint8_t *key, size_t key_len)
{
    uint8_t *k = ctx->outer_key; /* K, filled up with zeros to B octets */
    ctx->hash = hash;
    if (key_len > hash->block_octets) {
        hash->init(&ctx->context);
        hash->update(&ctx->context, key, key_len);
        hash->final(&ctx->context, k);
        key_len = hash->digest_octets;
    } else {
        for (uint8_t i = 0; i < (uint8_t)key_len; i++) {
            k[i] = key[i];
        }
    }
    for (uint8_t i = (uint8_t)key_len; i < hash->block_octets; i++) {
        k[i] = 0;
    }
    for (uint8_t i = 0; i < hash->block_octets; i++) {
        k[i] ^= IPAD;
    }
    hash->init(&ctx->context);
    hash->update(&ctx->context, k, hash->block_octets);
    for (uint8_t i = 0; i < hash->block_octets; i++) {
        k[i] ^= IPAD ^ OPAD;
    }
}

void wm_hmac_update(wm_hmac *ctx, const uint8_t *data, size_t len)
{
    if (ctx->hash != NULL) {
        ctx->hash->update(&ctx->context, data, len);
    }
}

/* Whether the message can end with a tag of that length. */
static wm_status may_end(const wm_hmac *ctx, size_t tag_len)
{
    if (ctx->hash == NULL) {
        return WM_ERR_STATE;
    }
    uint8_t digest = ctx->hash->digest_octets;
    return tag_len >= LEAST_TAG && tag_len >= digest / 2 && tag_len <= digest ? WM_OK
                                                                              : WM_ERR_PARAM;
}

/* The whole tag. */
static void outer(wm_hmac *ctx, uint8_t digest[WM_SHA256_LEN])
{
    const wm_hash *hash = ctx->hash;
    hash->final(&ctx->context, digest);
    hash->init(&ctx->context);
    hash->update(&ctx->context, ctx->outer_key, hash->block_octets);
    hash->update(&ctx->context, digest, hash->digest_octets);
    hash->final(&ctx->context, digest);
    wm_wipe(ctx, sizeof *ctx);
}

wm_status wm_hmac_final(wm_hmac *ctx, uint8_t *tag, size_t tag_len)
{
    uint8_t digest[WM_SHA256_LEN];
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    outer(ctx, digest);
    for (uint8_t i = 0; i < tag_len; i++) {
        tag[i] = digest[i];
    }
    wm_wipe(digest, sizeof digest); /* octets the caller did not ask for are secret */
    return WM_OK;
}

wm_status wm_hmac_verify(wm_hmac *ctx, const uint8_t *tag, size_t tag_len)
{
    uint8_t digest[WM_SHA256_LEN];
    wm_status status = may_end(ctx, tag_len);
    if (status != WM_OK) {
        return status;
    }
    outer(ctx, digest);
    uint8_t diff = wm_ct_diff(digest, tag, tag_len);
    wm_wipe(digest, sizeof digest);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}
