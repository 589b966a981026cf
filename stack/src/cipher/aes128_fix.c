/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption of two blocks at once in bit slices: no table, no branch, no address
 * depends on key or block.
 * References: FIPS 197 §5.1; A. Adomnicai, T. Peyrin, "Fixslicing AES-like ciphers", TCHES
 * 2021(1).
 *
 * ShiftRows is left out: the octets stay, and each round reads them where ShiftRows would have
 * fetched them. After n rounds octet (r, c) of the state stands in row r, column c + n r, so the
 * octet one row down in the same column is found one row down and n columns on, for every row
 * alike (columns count modulo 4, rows modulo 4). After four rounds all is back in place; ten
 * rounds leave the odd rows two columns off, which is undone at the end. */
#include <wardmote/aes128.h>
#include "../util/dead_stack.h"
#include "aes128_fix_slice.h"
#include "aes128_forward.h"

WM_DEAD_STACK_OFTEN(200, 208) /* slices, and what SubBytes has no register for */

/* Puts the octet one row down and n columns on in the place of each octet. n is a constant wherever
 * this is inlined. */
static inline uint32_t below(uint32_t slice, unsigned n)
{
    const uint32_t stay = (0xffu >> 2 * n) * 0x01010101u; /* the bits that stay in their octet */
    slice = slice >> 8 | slice << 24;
    if (n == 0) {
        return slice;
    }
    return (slice >> 2 * n & stay) | (slice << (8 - 2 * n) & ~stay);
}

/* below() twice: two rows down, and 2n columns on, which is none or two. */
static inline uint32_t below_twice(uint32_t slice, unsigned n)
{
    slice = slice >> 16 | slice << 16;
    if (n % 2 == 0) {
        return slice;
    }
    return (slice >> 4 & 0x0f0f0f0f) | (slice & 0x0f0f0f0f) << 4;
}

/* A call where flash counts: clang would else make one of it where time does. */
#if defined(WM_FORM_SMALL)
#define MIX_INLINE inline
#else
#define MIX_INLINE WM_ALWAYS_INLINE inline
#endif

/* MixColumns after n ShiftRows (FIPS 197 §5.1.3: b_r = 2(a_r ^ a_{r+1}) ^ a_{r+1} ^ (a_{r+2} ^
 * a_{r+3})) and AddRoundKey. From slice 7 down: bit i of a double comes from bit i - 1, and x^8 =
 * x^4 + x^3 + x + 1. */
MIX_INLINE static void mix_add(uint32_t s[8], const uint32_t key[8], unsigned n)
{
    uint32_t next = below(s[7], n), t = s[7] ^ next;
    const uint32_t t7 = t;
    for (unsigned i = 7; i != 0; i--) {
        uint32_t next_before = below(s[i - 1], n), t_before = s[i - 1] ^ next_before;
        uint32_t reduction = i == 4 || i == 3 || i == 1 ? t7 : 0;
        s[i] = t_before ^ reduction ^ next ^ below_twice(t, n) ^ key[i];
        next = next_before;
        t = t_before;
    }
    s[0] = t7 ^ next ^ below_twice(t, n) ^ key[0];
}

/* The odd rows, two columns off after ten rounds, back in place. */
static inline uint32_t replaced(uint32_t slice)
{
    uint32_t t = (slice ^ slice >> 4) & 0x0f000f00;
    return slice ^ t ^ t << 4;
}

WM_NOINLINE static void rounds(const wm_aes128_slices *ctx, wm_block128 *first, wm_block128 *second)
{
    uint32_t s[8];
    wm_aes128_fix_slice(s, first, second);
    for (unsigned i = 0; i < 8; i++) {
        s[i] ^= ctx->round_key[0][i];
    }
    const uint32_t (*key)[8] = ctx->round_key + 1;
    for (;; key += 4) {
        wm_aes128_fix_substitute(s);
        mix_add(s, key[0], 1);
        wm_aes128_fix_substitute(s);
        if (key == ctx->round_key + 9) {
            break; /* the tenth SubBytes, like the second and the sixth */
        }
        mix_add(s, key[1], 2);
        wm_aes128_fix_substitute(s);
        mix_add(s, key[2], 3);
        wm_aes128_fix_substitute(s);
        mix_add(s, key[3], 0);
    }
    for (unsigned i = 0; i < 8; i++) {
        s[i] = replaced(s[i] ^ ctx->round_key[10][i]);
    }
    wm_aes128_fix_join(first, second, s);
}

void wm_aes128_fix_forward2(const void *schedule, wm_block128 *first, wm_block128 *second)
{
    rounds(schedule, first, second);
    wipe_dead_stack();
}

void wm_aes128_fix_forward(const void *schedule, wm_block128 *block)
{
    wm_aes128_fix_forward2(schedule, block, block);
}

void wm_aes128_fix_encrypt2(const wm_aes128_slices *ctx, wm_block128 *first, wm_block128 *second)
{
    wm_aes128_fix_forward2(ctx, first, second);
}

void wm_aes128_fix_encrypt(const wm_aes128_slices *ctx, wm_block128 *block)
{
    wm_aes128_fix_forward2(ctx, block, block);
}
