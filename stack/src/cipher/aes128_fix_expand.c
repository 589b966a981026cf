/* SPDX-License-Identifier: BSD-3-Clause */
/* Key expansion of the `fix` variant: round keys as slices, in the order of columns that each
 * round meets.
 * References: FIPS 197 §5.2; A. Adomnicai, T. Peyrin, "Fixslicing AES-like ciphers", TCHES
 * 2021(1), for leaving out ShiftRows: after n rounds row r of the state stands r * n columns
 * further, and so must the key of round n.
 * Invariants: no branch, address or shift depends on the key. */
#include <wardmote/aes128.h>
#include "../util/dead_stack.h"
#include "aes128_fix_slice.h"

WM_DEAD_STACK_OFTEN(240, 240) /* the block, slices, and what SubBytes has no register for */

#define COLUMN_0 0x03030303u /* both blocks' bits of column 0, every row */
#define ROW_0 0x000000ffu
#define CONSTANT ((uint32_t)0x63) /* of SubBytes */

/* Row r moves r * n columns on, n = 1, 2 or 3: first the rows that move by two or three columns
 * move by two, then the odd rows by what is left, one column. */
static uint32_t displaced(uint32_t slice, unsigned n)
{
    static const uint32_t by_two[4] = {0, 0x0f0f0000, 0x0f000f00, 0x000f0f00};
    uint32_t t = (slice ^ slice >> 4) & by_two[n];
    slice ^= t ^ t << 4;
    if (n % 2 == 1) {
        slice = (slice & 0x00ff00ff) | (slice & 0x3f003f00) << 2 | (slice >> 6 & 0x03000300);
    }
    return slice;
}

/* Slices of the next round key in the standard order of columns. `key` holds the key twice, as two
 * equal blocks; `sub` is room for its SubBytes. */
static void next_round_key(uint32_t key[8], uint32_t sub[8], uint8_t rcon)
{
    for (unsigned i = 0; i < 8; i++) {
        sub[i] = key[i];
    }
    wm_aes128_fix_substitute(sub);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t word = sub[i] ^ (0u - (CONSTANT >> i & 1));
        /* RotWord: column 3, one row up, to column 0 */
        uint32_t k = key[i] ^ ((word >> 14 | word << 18) & COLUMN_0);
        k ^= (0u - ((uint32_t)rcon >> i & 1)) & COLUMN_0 & ROW_0;
        k ^= (k & 0x3f3f3f3f) << 2; /* each column takes in all before it */
        k ^= (k & 0x0f0f0f0f) << 4;
        key[i] = k;
    }
}

WM_NOINLINE static void expand(wm_aes128_slices *ctx, const uint8_t key[16])
{
    wm_block128 block;
    uint32_t k[8], sub[8];
    for (unsigned i = 0; i < 16; i++) {
        block.octet[i] = key[i];
    }
    wm_aes128_fix_slice(k, &block, &block);
    uint8_t rcon = 1;
    for (unsigned round = 0;; round++) {
        for (unsigned i = 0; i < 8; i++) {
            /* Rounds leave out the constant of SubBytes, which MixColumns maps to itself: the keys
             * bring it. */
            uint32_t constant = round == 0 ? 0 : 0u - (CONSTANT >> i & 1);
            ctx->round_key[round][i] = displaced(k[i], round % 4) ^ constant;
        }
        if (round == 10) {
            break;
        }
        next_round_key(k, sub, rcon);
        /* public values; doubled in the field of FIPS 197 §4.2 */
        rcon = (uint8_t)(rcon << 1 ^ (-(rcon >> 7) & 0x1b));
    }
}

void wm_aes128_fix_expand(wm_aes128_slices *ctx, const uint8_t key[16])
{
    expand(ctx, key);
    wipe_dead_stack();
}
