/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s, RFC 7693 §3; names of the RFC in comments. */
#include <wardmote/blake2s.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "blake2s_compress.h"

#define BLOCK 64

/* §2.6: what SHA-256 begins with. */
const uint32_t wm_blake2s_iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Counts the octets of the block and takes it into the state. */
static void go_through(wm_blake2s *ctx, uint32_t f0)
{
    ctx->t[0] += ctx->fill;
    if (ctx->t[0] < ctx->fill) {
        ctx->t[1]++;
    }
    ctx->fill = 0;
    wm_blake2s_compress(ctx, f0);
}

wm_status wm_blake2s_init(wm_blake2s *ctx, size_t digest_len, const uint8_t *key, size_t key_len)
{
    if (digest_len == 0 || digest_len > WM_BLAKE2S_LEN || key_len > WM_BLAKE2S_KEY_MAX) {
        wm_wipe(ctx, sizeof *ctx);
        return WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->h[i] = wm_blake2s_iv[i];
    }
    ctx->h[0] ^=
        0x01010000 ^ (uint32_t)key_len << 8 ^ (uint8_t)digest_len; /* §2.5: the parameter block */
    ctx->t[0] = 0;
    ctx->t[1] = 0;
    ctx->fill = 0;
    ctx->digest_len = (uint8_t)digest_len;
    if (key_len != 0) { /* §3.3: the key, filled up with zeros, is the first block */
        for (uint8_t i = 0; i < BLOCK; i++) {
            ctx->block.octet[i] = 0;
        }
        wm_blake2s_update(ctx, key, key_len);
        ctx->fill = BLOCK;
    }
    return WM_OK;
}

void wm_blake2s_update(wm_blake2s *ctx, const uint8_t *data, size_t len)
{
    while (len != 0) {
        if (ctx->fill == BLOCK) {
            go_through(ctx, 0);
        }
        uint8_t n = (uint8_t)(BLOCK - ctx->fill);
        if (len < n) {
            n = (uint8_t)len;
        }
        len -= n;
        uint8_t *to = ctx->block.octet + ctx->fill;
        ctx->fill = (uint8_t)(ctx->fill + n);
        for (; n != 0; n--) {
            *to++ = *data++;
        }
    }
}

void wm_blake2s_final(wm_blake2s *ctx, uint8_t *digest)
{
    for (uint8_t i = ctx->fill; i < BLOCK; i++) {
        ctx->block.octet[i] = 0;
    }
    go_through(ctx, UINT32_MAX);
    for (uint8_t i = 0; i < 8; i++) {
        wm_store_le32(ctx->block.octet + 4 * i, ctx->h[i]);
    }
    for (uint8_t i = 0; i < ctx->digest_len; i++) {
        digest[i] = ctx->block.octet[i];
    }
    wm_wipe(ctx, sizeof *ctx);
}

void wm_blake2s_digest(const uint8_t *data, size_t len, uint8_t digest[32])
{
    wm_blake2s ctx;
    /* cannot fail: these lengths are in range */
    (void)!wm_blake2s_init(&ctx, WM_BLAKE2S_LEN, data, 0);
    wm_blake2s_update(&ctx, data, len);
    wm_blake2s_final(&ctx, digest);
}
