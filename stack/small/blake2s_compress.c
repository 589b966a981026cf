/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F in little flash: one G at a time; names of RFC 7693 §3.2 in
 * comments. The octets of the block become words in place. */
#include "../src/hash/blake2s_compress.h"
#include <wardmote/octets.h>
#include "../src/util/dead_stack.h"
#include "../src/util/rotate.h"

#ifdef WM_FORM_SMALL

WM_DEAD_STACK(144)

/* §2.7: which word of the message each half of G takes, the first one's in the upper half of an
 * octet. */
static const uint8_t sigma[80] = {
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xea, 0x48, 0x9f, 0xd6, 0x1c, 0x02, 0xb7, 0x53,
    0xb8, 0xc0, 0x52, 0xfd, 0xae, 0x36, 0x71, 0x94, 0x79, 0x31, 0xdc, 0xbe, 0x26, 0x5a, 0x40, 0xf8,
    0x90, 0x57, 0x24, 0xaf, 0xe1, 0xbc, 0x68, 0x3d, 0x2c, 0x6a, 0x0b, 0x83, 0x4d, 0x75, 0xfe, 0x19,
    0xc5, 0x1f, 0xed, 0x4a, 0x07, 0x63, 0x92, 0x8b, 0xdb, 0x7e, 0xc1, 0x39, 0x50, 0xf4, 0x86, 0x2a,
    0x6f, 0xe9, 0xb3, 0x08, 0xc2, 0xd7, 0x14, 0xa5, 0xa2, 0x84, 0x76, 0x15, 0xfb, 0x9e, 0x3c, 0xd0,
};

/* The mixing function G (§3.1) on the column or, where `turn` is 1, the diagonal that begins with
 * v_i. */
static void mix(uint32_t v[16], uint8_t i, uint8_t turn, uint32_t first, uint32_t second)
{
    uint32_t *to_b = &v[4 + ((i + turn) & 3)], *to_c = &v[8 + ((i + 2 * turn) & 3)],
             *to_d = &v[12 + ((i + 3 * turn) & 3)];
    uint32_t a = v[i], b = *to_b, c = *to_c, d = *to_d;
    a += b + first;
    d = wm_ror32(d ^ a, 16);
    c += d;
    b = wm_ror32(b ^ c, 12);
    a += b + second;
    d = wm_ror32(d ^ a, 8);
    c += d;
    b = wm_ror32(b ^ c, 7);
    v[i] = a, *to_b = b, *to_c = c, *to_d = d;
}

WM_NOINLINE static void compress(wm_blake2s *ctx, uint32_t f0)
{
    uint32_t v[16];
    uint32_t *m = ctx->block.word;
    for (uint8_t i = 0; i < 16; i++) {
        m[i] = wm_load_le32(ctx->block.octet + 4 * i);
    }
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->h[i];
        v[i + 8] = wm_blake2s_iv[i];
    }
    v[12] ^= ctx->t[0];
    v[13] ^= ctx->t[1];
    v[14] ^= f0;
    for (uint8_t i = 0; i < 80; i++) {
        mix(v, i & 3, i >> 2 & 1, m[sigma[i] >> 4], m[sigma[i] & 15]);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->h[i] ^= v[i] ^ v[i + 8];
    }
}

void wm_blake2s_compress(wm_blake2s *ctx, uint32_t f0)
{
    compress(ctx, f0);
    wipe_dead_stack();
}

#endif
