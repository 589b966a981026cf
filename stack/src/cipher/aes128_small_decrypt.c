/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 decryption with the inverse S-box as its only table, from the expanded key of
 * encryption.
 * References: FIPS 197 §5.3.
 * Invariants: no branch depends on key or block; the inverse S-box is indexed by both (see
 * aes128.h).
 *
 * InvMixColumns is MixColumns after (a_i ^ 4(a_i ^ a_{i+2})), so that a column held as e = (a0,
 * a2) and o = (a1, a3) takes what aes128_small.c does and two doublings more: those of u = a0 ^
 * a2 and v = a1 ^ a3 at once. */
#include <stddef.h>
#include <wardmote/aes128.h>
#include "../util/compiler.h"
#include "../util/xor.h"
#include "aes128_halves.h"
#include "aes128_inverse_sbox.h"

/* As in aes128_small.c: both octets doubled in the field (FIPS 197 §4.2), the reduction a mask. */
static inline uint16_t double_both(uint16_t a)
{
    uint16_t top = a & 0x8080;
    uint16_t mask = (uint16_t)(top - (top >> 7));
    return (uint16_t)((unsigned)(a ^ top) << 1 ^ (mask & 0x1b1b));
}

/* AddRoundKey and InvMixColumns of one column; what is left is in the order (a0, a2), (a1, a3), and
 * stays so for inverse_substitute. */
static inline void add_inverse_mix(uint16_t eo[2], const uint16_t column[2], const uint16_t rk[2])
{
    uint16_t first = column[0] ^ rk[0], second = column[1] ^ rk[1];
    uint16_t e = WM_FIRST_OCTETS(first, second);
    uint16_t o = WM_SECOND_OCTETS(first, second);
    uint16_t uv = first ^ second; /* (a0 ^ a2, a1 ^ a3) */
    uv = double_both(double_both(uv));
    uint16_t turned = wm_turn_half(uv);
    e ^= (uint16_t)((uv & WM_FIRST_OCTET) | (turned & WM_SECOND_OCTET));
    o ^= (uint16_t)((turned & WM_FIRST_OCTET) | (uv & WM_SECOND_OCTET));
    uint16_t q = e ^ o;
    uint16_t z = o ^ wm_turn_half(e);
    uint16_t sum = q ^ wm_turn_half(q);
    eo[0] = e ^ sum ^ double_both(q);
    eo[1] = o ^ sum ^ double_both(z);
}

/* AddRoundKey and InvMixColumns. A call in the small form of 16-bit CPUs: what it has in registers would
 * else go to the stack in the next call. */
#if defined(WM_FORM_SMALL) && UINTPTR_MAX <= 0xffff
#define SMALL_CALL WM_NOINLINE
#else
#define SMALL_CALL inline
#endif
SMALL_CALL static void add_inverse_mixes(wm_block128 *t, const wm_block128 *block,
                                         const wm_block128 *rk)
{
    for (unsigned i = 0; i < 8; i += 2) {
        add_inverse_mix(t->half + i, block->half + i, rk->half + i);
    }
}

/* InvShiftRows and InvSubBytes (FIPS 197 §5.3.1, §5.3.2) from columns in the order (a0, a2), (a1,
 * a3): octet 4c + r of the result comes from row r of column c - r. */
WM_NOINLINE static void inverse_substitute(uint8_t s[16], const uint8_t t[16])
{
    s[0] = wm_aes128_inverse_sbox[t[0]];
    s[1] = wm_aes128_inverse_sbox[t[14]];
    s[2] = wm_aes128_inverse_sbox[t[9]];
    s[3] = wm_aes128_inverse_sbox[t[7]];
    s[4] = wm_aes128_inverse_sbox[t[4]];
    s[5] = wm_aes128_inverse_sbox[t[2]];
    s[6] = wm_aes128_inverse_sbox[t[13]];
    s[7] = wm_aes128_inverse_sbox[t[11]];
    s[8] = wm_aes128_inverse_sbox[t[8]];
    s[9] = wm_aes128_inverse_sbox[t[6]];
    s[10] = wm_aes128_inverse_sbox[t[1]];
    s[11] = wm_aes128_inverse_sbox[t[15]];
    s[12] = wm_aes128_inverse_sbox[t[12]];
    s[13] = wm_aes128_inverse_sbox[t[10]];
    s[14] = wm_aes128_inverse_sbox[t[5]];
    s[15] = wm_aes128_inverse_sbox[t[3]];
}

void wm_aes128_small_decrypt(const wm_aes128 *ctx, wm_block128 *block)
{
    const wm_block128 *rk = ctx->round_key + 10;
    wm_block128 t;
    /* round key 10, in the order that inverse_substitute takes */
    for (unsigned i = 0; i < 16; i += 4) {
        t.octet[i] = block->octet[i] ^ rk->octet[i];
        t.octet[i + 1] = block->octet[i + 2] ^ rk->octet[i + 2];
        t.octet[i + 2] = block->octet[i + 1] ^ rk->octet[i + 1];
        t.octet[i + 3] = block->octet[i + 3] ^ rk->octet[i + 3];
    }
    inverse_substitute(block->octet, t.octet);
    for (uint8_t round = 9; round != 0; round--) {
        rk--;
        add_inverse_mixes(&t, block, rk);
        inverse_substitute(block->octet, t.octet);
    }
    rk--;
    for (unsigned i = 0; i < 8; i++) {
        block->half[i] ^= rk->half[i];
    }
    wm_block_wipe(&t);
}
