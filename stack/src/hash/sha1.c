/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1, FIPS 180-4 §6.1; names of the standard in comments. The message schedule overwrites the block it begins with:
 * W_t is only ever needed with the 15 before it (§6.1.3). */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/sha1.h>
#include "../util/md64.h"
#include "../util/rotate.h"

/* W_t of the schedule, in place of W_(t-16); the first 16 are the block. */
static inline uint32_t word(uint32_t w[16], uint8_t t)
{
    uint8_t s = t & 15;
    if (t >= 16) {
        w[s] = wm_ror32(w[(s + 13) & 15] ^ w[(s + 8) & 15] ^ w[(s + 2) & 15] ^ w[s], 31);
    }
    return w[s];
}

/* §6.1.2 step 3 for the twenty t from `first` on, with their f_t and K_t. */
#define TWENTY(f, k, first)                                                                                            \
    for (uint8_t t = (first); t != (first) + 20; t++) {                                                                \
        uint32_t new_a = wm_ror32(a, 27) + (f(b, c, d)) + e + (k) + word(w, t);                                        \
        e = d;                                                                                                         \
        d = c;                                                                                                         \
        c = wm_ror32(b, 2);                                                                                            \
        b = a;                                                                                                         \
        a = new_a;                                                                                                     \
    }

/* §4.1.1 */
#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z) (((x) & ((y) | (z))) | ((y) & (z)))

static void compress(uint32_t *state, wm_md64 *md)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    uint32_t *w = md->block.word;
    TWENTY(CH, 0x5a827999, 0) /* K_t: §4.2.1 */
    TWENTY(PARITY, 0x6ed9eba1, 20)
    TWENTY(MAJ, 0x8f1bbcdc, 40)
    TWENTY(PARITY, 0xca62c1d6, 60)
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void wm_sha1_init(wm_sha1 *ctx)
{
    static const uint32_t h_0[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}; /* §5.3.1 */
    for (uint8_t i = 0; i < 5; i++) {
        ctx->state[i] = h_0[i];
    }
    wm_md64_init(&ctx->md);
}

void wm_sha1_update(wm_sha1 *ctx, const uint8_t *data, uint16_t len)
{
    wm_md64_update(&ctx->md, ctx->state, compress, data, len);
}

void wm_sha1_final(wm_sha1 *ctx, uint8_t digest[20])
{
    wm_md64_finish(&ctx->md, ctx->state, compress);
    for (uint8_t i = 0; i < 5; i++) {
        wm_store_be32(digest + 4 * i, ctx->state[i]);
    }
    wm_wipe(ctx, sizeof *ctx);
}

void wm_sha1_digest(const uint8_t *data, uint16_t len, uint8_t digest[20])
{
    wm_sha1 ctx;
    wm_sha1_init(&ctx);
    wm_sha1_update(&ctx, data, len);
    wm_sha1_final(&ctx, digest);
}

static void any_init(void *ctx)
{
    wm_sha1_init(ctx);
}

static void any_update(void *ctx, const uint8_t *data, uint16_t len)
{
    wm_sha1_update(ctx, data, len);
}

static void any_final(void *ctx, uint8_t *digest)
{
    wm_sha1_final(ctx, digest);
}

const wm_hash wm_hash_sha1 = {
    .name = "SHA-1",
    .block_octets = 64,
    .digest_octets = WM_SHA1_LEN,
    .init = any_init,
    .update = any_update,
    .final = any_final,
};
