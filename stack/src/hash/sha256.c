/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256, FIPS 180-4 §6.2; names of the standard in comments. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/sha256.h>
#include "../util/md64.h"
#include "sha256_compress.h"
#include "functions.h"

void wm_sha256_init(wm_sha256 *ctx)
{
    /* §5.3.3: first 32 bits of the fractions of the square roots of the first 8 primes. */
    static const uint32_t h_0[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] = h_0[i];
    }
    wm_md64_init(&ctx->md);
}

void wm_sha256_update(wm_sha256 *ctx, const uint8_t *data, size_t len)
{
    wm_md64_update(&ctx->md, ctx->state, wm_sha256_compress, data, len);
}

void wm_sha256_final(wm_sha256 *ctx, uint8_t digest[32])
{
    wm_md64_finish(&ctx->md, ctx->state, wm_sha256_compress);
    for (uint8_t i = 0; i < 8; i++) {
        wm_store_be32(digest + 4 * i, ctx->state[i]);
    }
    wm_wipe(ctx, sizeof *ctx);
}

WM_HASH_DIGEST(sha256, 32)

WM_HASH_FUNCTIONS(sha256, "SHA-256", 64, WM_SHA256_LEN)
