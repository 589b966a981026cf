/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption with tables: SubBytes, ShiftRows and MixColumns of one octet are two
 * look-ups.
 * References: FIPS 197 §5.1; the table method is that of Daemen and Rijmen, cut into 16-bit
 * halves.
 * Invariants: no branch depends on key or block; the tables are indexed by both (see aes128.h).
 *
 * A column is two halves, octets (0, 1) and (2, 3). An octet in row r, after the S-box s, adds
 * to its column
 *   r    half 0      half 1
 *   0    (2s, s)     (s, 3s)
 *   1    (3s, 2s)    (s, s)
 *   2    (s, 3s)     (2s, s)
 *   3    (s, s)      (3s, 2s)
 * so four tables of 256 halves, 2 KiB, serve all four rows. */
#include <stddef.h>
#include <wardmote/aes128.h>
#include "../util/compiler.h"
#include "../util/xor.h"
#include "aes128_forward.h"
#include "aes128_sbox.h"
#include "aes128_tables.h"

/* Two octets as a half in memory order. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HALF(first, second) ((unsigned)(first) << 8 | (second))
#else
#define HALF(first, second) ((unsigned)(second) << 8 | (first))
#endif

/* One output column from four octets, one of each row, and its two halves of round key. Plain
 * `unsigned` indices spare 16-bit CPUs a widening of each octet. */
#define COLUMN(out, i, r0, r1, r2, r3)                                                             \
    do {                                                                                           \
        unsigned x0 = (r0), x1 = (r1), x2 = (r2), x3 = (r3);                                       \
        uint16_t half = *rk++;                                                                     \
        WM_IN_TURN_MSP430(rk);                                                                     \
        (out)[(i)] = (uint16_t)(half ^ wm_aes128_2s_s[x0] ^ wm_aes128_3s_2s[x1] ^                  \
                                wm_aes128_s_3s[x2] ^ wm_aes128_s_s[x3]);                           \
        half = *rk++;                                                                              \
        WM_IN_TURN_MSP430(rk);                                                                     \
        (out)[(i) + 1] = (uint16_t)(half ^ wm_aes128_s_3s[x0] ^ wm_aes128_s_s[x1] ^                \
                                    wm_aes128_2s_s[x2] ^ wm_aes128_3s_2s[x3]);                     \
    } while (0)

/* SubBytes, ShiftRows, MixColumns and AddRoundKey from block `in` to block `out`. Kept a call:
 * inlined, the rounds of a loop compete for registers and clang's MSP430 code is a quarter
 * slower. */
WM_NOINLINE static void tab_round(wm_block128 *out, const wm_block128 *in, const uint16_t *rk)
{
    const uint8_t *s = in->octet;
    COLUMN(out->half, 0, s[0], s[5], s[10], s[15]);
    COLUMN(out->half, 2, s[4], s[9], s[14], s[3]);
    COLUMN(out->half, 4, s[8], s[13], s[2], s[7]);
    COLUMN(out->half, 6, s[12], s[1], s[6], s[11]);
}

/* SubBytes, ShiftRows and AddRoundKey of half i: the last round has no MixColumns (FIPS 197
 * §5.1). */
#define LAST(i, first, second)                                                                     \
    block->half[i] =                                                                               \
        (uint16_t)(HALF(wm_aes128_sbox[s[first]], wm_aes128_sbox[s[second]]) ^ rk->half[i])

void wm_aes128_tab_forward(const void *schedule, wm_block128 *block)
{
    const wm_block128 *rk = ((const wm_aes128 *)schedule)->round_key;
    const wm_block128 *round_9 = rk + 9;
    wm_block128 t;
    block->half[0] ^= rk->half[0];
    block->half[1] ^= rk->half[1];
    block->half[2] ^= rk->half[2];
    block->half[3] ^= rk->half[3];
    block->half[4] ^= rk->half[4];
    block->half[5] ^= rk->half[5];
    block->half[6] ^= rk->half[6];
    block->half[7] ^= rk->half[7];
    for (;;) {
        tab_round(&t, block, (++rk)->half);
        if (rk == round_9) {
            break;
        }
        tab_round(block, &t, (++rk)->half);
    }
    ++rk;
    const uint8_t *s = t.octet;
    LAST(0, 0, 5);
    LAST(1, 10, 15);
    LAST(2, 4, 9);
    LAST(3, 14, 3);
    LAST(4, 8, 13);
    LAST(5, 2, 7);
    LAST(6, 12, 1);
    LAST(7, 6, 11);
    wm_block_wipe(&t);
}

void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block)
{
    wm_aes128_tab_forward(ctx, block);
}
