/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption with the S-box as its only table.
 * References: FIPS 197 §5.1.
 * Invariants: no branch depends on key or block; the S-box is indexed by both (see aes128.h).
 *
 * MixColumns takes two octets at once. A column a0..a3 is held as two halves, e = (a0, a2) and o
 * = (a1, a3); with q = e ^ o, z = o ^ e turned, t = q ^ q turned = (sum of the column, the
 * same), it becomes
 *   e' = e ^ t ^ 2q,   o' = o ^ t ^ 2z   (FIPS 197 §5.1.3: b_i = a_i ^ sum ^ 2(a_i ^ a_{i+1})). */
#include <stddef.h>
#include <wardmote/aes128.h>
#include "../util/compiler.h"
#include "../util/xor.h"
#include "aes128_forward.h"
#include "aes128_halves.h"
#include "aes128_sbox.h"

/* Doubles both octets of a half in the field (FIPS 197 §4.2). The reduction is a mask, never `*
 * 0x1b`: clang for MSP430 makes a branch of a product with a one-bit factor. 0x80 - (0x80 >> 7) =
 * 0x7f holds every bit of 0x1b. */
static inline uint16_t double_both(uint16_t a)
{
    uint16_t top = a & 0x8080;
    uint16_t mask = (uint16_t)(top - (top >> 7));
    return (uint16_t)((unsigned)(a ^ top) << 1 ^ (mask & 0x1b1b));
}

/* SubBytes and ShiftRows (FIPS 197 §5.1.1, §5.1.2): column c of the result is octets 4c, 4c+5,
 * 4c+10, 4c+15 (mod 16), here in the order (a0, a2), (a1, a3). Written out: computed indices cost
 * 16-bit CPUs more than the look-ups. */
WM_NOINLINE static void small_substitute(uint8_t t[16], const uint8_t s[16])
{
    t[0] = wm_aes128_sbox[s[0]];
    t[1] = wm_aes128_sbox[s[10]];
    t[2] = wm_aes128_sbox[s[5]];
    t[3] = wm_aes128_sbox[s[15]];
    t[4] = wm_aes128_sbox[s[4]];
    t[5] = wm_aes128_sbox[s[14]];
    t[6] = wm_aes128_sbox[s[9]];
    t[7] = wm_aes128_sbox[s[3]];
    t[8] = wm_aes128_sbox[s[8]];
    t[9] = wm_aes128_sbox[s[2]];
    t[10] = wm_aes128_sbox[s[13]];
    t[11] = wm_aes128_sbox[s[7]];
    t[12] = wm_aes128_sbox[s[12]];
    t[13] = wm_aes128_sbox[s[6]];
    t[14] = wm_aes128_sbox[s[1]];
    t[15] = wm_aes128_sbox[s[11]];
}

/* MixColumns of one column and its two halves of round key. */
static inline void small_mix_add(uint16_t out[2], const uint16_t eo[2], const uint16_t rk[2])
{
    uint16_t e = eo[0], o = eo[1];
    uint16_t q = e ^ o;
    uint16_t z = o ^ wm_turn_half(e);
    uint16_t sum = q ^ wm_turn_half(q);
    e ^= sum ^ double_both(q);
    o ^= sum ^ double_both(z);
    out[0] = rk[0] ^ WM_FIRST_OCTETS(e, o);
    out[1] = rk[1] ^ WM_SECOND_OCTETS(e, o);
}

/* A separate function for least flash: when gcc inlines it at -Os, a register is missing. */
#if defined(WM_FORM_SMALL) && UINTPTR_MAX > 0xffff
#define SMALL_CALL WM_NOINLINE
#else
#define SMALL_CALL inline
#endif

/* MixColumns and AddRoundKey. */
SMALL_CALL static void small_mix(wm_block128 *block, const wm_block128 *t, const wm_block128 *rk)
{
    for (unsigned i = 0; i < 8; i += 2) {
        small_mix_add(block->half + i, t->half + i, rk->half + i);
    }
}

void wm_aes128_small_forward(const void *schedule, wm_block128 *block)
{
    const wm_block128 *rk = ((const wm_aes128 *)schedule)->round_key;
    wm_block128 t;
    for (unsigned i = 0; i < 8; i++) {
        block->half[i] ^= rk->half[i];
    }
    for (uint8_t round = 9; round != 0; round--) {
        small_substitute(t.octet, block->octet);
        rk++;
        small_mix(block, &t, rk);
    }
    small_substitute(t.octet, block->octet);
    rk++;
    for (unsigned i = 0; i < 16; i += 4) {
        block->octet[i] = t.octet[i] ^ rk->octet[i];
        block->octet[i + 1] = t.octet[i + 2] ^ rk->octet[i + 1];
        block->octet[i + 2] = t.octet[i + 1] ^ rk->octet[i + 2];
        block->octet[i + 3] = t.octet[i + 3] ^ rk->octet[i + 3];
    }
    wm_block_wipe(&t);
}

void wm_aes128_small_encrypt(const wm_aes128 *ctx, wm_block128 *block)
{
    wm_aes128_small_forward(ctx, block);
}
