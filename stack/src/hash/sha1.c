/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1, FIPS 180-4 §6.1; names of the standard in comments. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/sha1.h>
#include "../util/md64.h"
#include "sha1_compress.h"
#include "functions.h"

void wm_sha1_init(wm_sha1 *ctx)
{
    /* §5.3.1 */
    static const uint32_t h_0[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (uint8_t i = 0; i < 5; i++) {
        ctx->state[i] = h_0[i];
    }
    wm_md64_init(&ctx->md);
}

void wm_sha1_update(wm_sha1 *ctx, const uint8_t *data, size_t len)
{
    wm_md64_update(&ctx->md, ctx->state, wm_sha1_compress, data, len);
}

void wm_sha1_final(wm_sha1 *ctx, uint8_t digest[20])
{
    wm_md64_finish(&ctx->md, ctx->state, wm_sha1_compress);
    for (uint8_t i = 0; i < 5; i++) {
        wm_store_be32(digest + 4 * i, ctx->state[i]);
    }
    wm_wipe(ctx, sizeof *ctx);
}

WM_HASH_DIGEST(sha1, 20)

WM_HASH_FUNCTIONS(sha1, "SHA-1", 64, WM_SHA1_LEN)
