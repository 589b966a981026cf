/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: the rounds, and the part of the key schedule that mixes.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.1 to §4.3; its names
 * are kept.
 * Invariants: no branch, address or number of steps depends on key or block; the length of a key
 * is public. */
#include <wardmote/octets.h>
#include "../util/compiler.h"
#include "../util/rotate_by.h"
#include "rc5_rounds.h"

/* One function body for all rotations, where a rotation takes dozens of instructions. A call takes
 * fewer. */
#if UINTPTR_MAX <= 0xffff
#define ROTATION WM_NOINLINE static
#else
#define ROTATION static inline
#endif

ROTATION uint32_t rol(uint32_t x, uint8_t n)
{
    return wm_rol32_by(x, n);
}

static inline uint32_t ror(uint32_t x, uint8_t n)
{
    return rol(x, (uint8_t)(32 - (n & 31)));
}

void wm_rc5_mix(uint32_t s[WM_RC5_WORDS], uint32_t *l, uint8_t c)
{
    uint32_t a = 0, b = 0;
    uint8_t i = 0, j = 0;
    for (uint8_t left = 3 * WM_RC5_WORDS; left != 0; left--) {
        a += b + s[i];
        s[i] = a = a << 3 | a >> 29;
        l[j] = b = rol(l[j] + a + b, (uint8_t)(a + b));
        i = (uint8_t)(i + 1 == WM_RC5_WORDS ? 0 : i + 1);
        j = (uint8_t)(j + 1 == c ? 0 : j + 1);
    }
}

void wm_rc5_encrypt(const wm_rc5 *ctx, uint8_t block[8])
{
    const uint32_t *s = ctx->s;
    uint32_t a = wm_load_le32(block) + s[0], b = wm_load_le32(block + 4) + s[1];
    for (uint8_t i = WM_RC5_ROUNDS; i != 0; i--) {
        s += 2;
        a = rol(a ^ b, (uint8_t)b) + s[0];
        b = rol(b ^ a, (uint8_t)a) + s[1];
    }
    wm_store_le32(block, a);
    wm_store_le32(block + 4, b);
}

void wm_rc5_decrypt(const wm_rc5 *ctx, uint8_t block[8])
{
    const uint32_t *s = ctx->s + WM_RC5_WORDS - 2;
    uint32_t a = wm_load_le32(block), b = wm_load_le32(block + 4);
    for (uint8_t i = WM_RC5_ROUNDS; i != 0; i--) {
        b = ror(b - s[1], (uint8_t)a) ^ a;
        a = ror(a - s[0], (uint8_t)b) ^ b;
        s -= 2;
    }
    wm_store_le32(block, a - s[0]);
    wm_store_le32(block + 4, b - s[1]);
}
