/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s, RFC 7693 §3; names of the RFC in comments. */
#include <stdbool.h>
#include <wardmote/blake2s.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/rotate.h"

#define BLOCK 64

/* §2.6: what SHA-256 begins with. */
static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* §2.7: which word of the message each half of G takes, round by round. */
static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* Half of the mixing function G (§3.1): one word of the message, two rotations. */
#define HALF(a, b, c, d, word, first, second)                                                                          \
    do {                                                                                                               \
        a += b + (word);                                                                                               \
        d = wm_ror32(d ^ a, first);                                                                                    \
        c += d;                                                                                                        \
        b = wm_ror32(b ^ c, second);                                                                                   \
    } while (0)

#define G(i, j, k, l)                                                                                                  \
    do {                                                                                                               \
        uint32_t a = v[i], b = v[j], c = v[k], d = v[l];                                                               \
        HALF(a, b, c, d, m[*s++], 16, 12);                                                                             \
        HALF(a, b, c, d, m[*s++], 8, 7);                                                                               \
        v[i] = a, v[j] = b, v[k] = c, v[l] = d;                                                                        \
    } while (0)

/* The compression function F (§3.2) of the block, whose octets become words in place. */
static void compress(wm_blake2s *ctx, bool last)
{
    uint32_t v[16];
    uint32_t *m = ctx->block.word;
    for (uint8_t i = 0; i < 16; i++) {
        m[i] = wm_load_le32(ctx->block.octet + 4 * i);
    }
    ctx->t[0] += ctx->fill;
    if (ctx->t[0] < ctx->fill) {
        ctx->t[1]++;
    }
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->h[i];
        v[i + 8] = iv[i];
    }
    v[12] ^= ctx->t[0];
    v[13] ^= ctx->t[1];
    if (last) {
        v[14] = ~v[14];
    }
    const uint8_t *s = sigma[0];
    for (uint8_t round = 0; round < 10; round++) {
        G(0, 4, 8, 12);
        G(1, 5, 9, 13);
        G(2, 6, 10, 14);
        G(3, 7, 11, 15);
        G(0, 5, 10, 15);
        G(1, 6, 11, 12);
        G(2, 7, 8, 13);
        G(3, 4, 9, 14);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->h[i] ^= v[i] ^ v[i + 8];
    }
    ctx->fill = 0;
}

wm_status wm_blake2s_init(wm_blake2s *ctx, uint8_t digest_len, const uint8_t *key, uint8_t key_len)
{
    if (digest_len == 0 || digest_len > WM_BLAKE2S_LEN || key_len > WM_BLAKE2S_KEY_MAX) {
        return WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->h[i] = iv[i];
    }
    ctx->h[0] ^= 0x01010000 ^ (uint32_t)key_len << 8 ^ digest_len; /* §2.5: the parameter block */
    ctx->t[0] = 0;
    ctx->t[1] = 0;
    ctx->fill = 0;
    ctx->digest_len = digest_len;
    if (key_len != 0) { /* §3.3: the key, filled up with zeros, is the first block */
        for (uint8_t i = 0; i < BLOCK; i++) {
            ctx->block.octet[i] = 0;
        }
        wm_blake2s_update(ctx, key, key_len);
        ctx->fill = BLOCK;
    }
    return WM_OK;
}

void wm_blake2s_update(wm_blake2s *ctx, const uint8_t *data, uint16_t len)
{
    while (len != 0) {
        if (ctx->fill == BLOCK) {
            compress(ctx, false);
        }
        uint8_t n = (uint8_t)(BLOCK - ctx->fill);
        if (len < n) {
            n = (uint8_t)len;
        }
        len = (uint16_t)(len - n);
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
    compress(ctx, true);
    for (uint8_t i = 0; i < 8; i++) {
        wm_store_le32(ctx->block.octet + 4 * i, ctx->h[i]);
    }
    for (uint8_t i = 0; i < ctx->digest_len; i++) {
        digest[i] = ctx->block.octet[i];
    }
    wm_wipe(ctx, sizeof *ctx);
}

void wm_blake2s_digest(const uint8_t *data, uint16_t len, uint8_t digest[32])
{
    wm_blake2s ctx;
    (void)!wm_blake2s_init(&ctx, WM_BLAKE2S_LEN, data, 0); /* cannot fail: these lengths are in range */
    wm_blake2s_update(&ctx, data, len);
    wm_blake2s_final(&ctx, digest);
}
