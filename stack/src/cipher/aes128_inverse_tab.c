/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 decryption with tables: InvSubBytes, InvShiftRows and InvMixColumns of one octet are
 * two look-ups.
 * References: FIPS 197 §5.3.5, the equivalent inverse cipher, whose rounds have the form of
 * aes128_tab.c.
 * Invariants: no branch depends on key or block; the tables are indexed by both (see aes128.h).
 *
 * A column is two halves, octets (0, 1) and (2, 3). An octet in row r, after the inverse S-box
 * s, adds to its column
 *   r    half 0        half 1
 *   0    (14s, 9s)     (13s, 11s)
 *   1    (11s, 14s)    (9s, 13s)
 *   2    (13s, 11s)    (14s, 9s)
 *   3    (9s, 13s)     (11s, 14s)
 * so four tables of 256 halves, 2 KiB, serve all four rows. */
#include <wardmote/aes128.h>
#include "../util/compiler.h"
#include "../util/xor.h"
#include "aes128_inverse_sbox.h"
#include "aes128_inverse_tables.h"

/* One output column from four octets, one of each row, and its two halves of round key. */
#define COLUMN(out, i, r0, r1, r2, r3)                                                             \
    do {                                                                                           \
        unsigned x0 = (r0), x1 = (r1), x2 = (r2), x3 = (r3);                                       \
        uint16_t half = *rk++;                                                                     \
        WM_IN_TURN_MSP430(rk);                                                                     \
        (out)[(i)] = (uint16_t)(half ^ wm_aes128_14s_9s[x0] ^ wm_aes128_11s_14s[x1] ^              \
                                wm_aes128_13s_11s[x2] ^ wm_aes128_9s_13s[x3]);                     \
        half = *rk++;                                                                              \
        WM_IN_TURN_MSP430(rk);                                                                     \
        (out)[(i) + 1] = (uint16_t)(half ^ wm_aes128_13s_11s[x0] ^ wm_aes128_9s_13s[x1] ^          \
                                    wm_aes128_14s_9s[x2] ^ wm_aes128_11s_14s[x3]);                 \
    } while (0)

/* InvSubBytes, InvShiftRows, InvMixColumns and AddRoundKey from block `in` to block `out`. A call,
 * as in aes128_tab.c. */
WM_NOINLINE static void inverse_round(wm_block128 *out, const wm_block128 *in, const uint16_t *rk)
{
    const uint8_t *s = in->octet;
    COLUMN(out->half, 0, s[0], s[13], s[10], s[7]);
    COLUMN(out->half, 2, s[4], s[1], s[14], s[11]);
    COLUMN(out->half, 4, s[8], s[5], s[2], s[15]);
    COLUMN(out->half, 6, s[12], s[9], s[6], s[3]);
}

void wm_aes128_tab_decrypt(const wm_aes128_two_way *ctx, wm_block128 *block)
{
    const wm_block128 *rk = ctx->inverse;
    wm_block128 t;
    for (uint8_t i = 0; i < 8; i++) {
        t.half[i] = block->half[i] ^ rk->half[i];
    }
    for (;;) {
        inverse_round(block, &t, (++rk)->half);
        if (rk == ctx->inverse + 9) {
            break;
        }
        inverse_round(&t, block, (++rk)->half);
    }
    /* The last round has no InvMixColumns: octet 4c + r comes from row r of column c - r. */
    for (uint8_t i = 0, from = 0; i < 16; i++) {
        t.octet[i] = wm_aes128_inverse_sbox[block->octet[from]];
        from = (from + 13) & 15;
    }
    ++rk;
    for (uint8_t i = 0; i < 8; i++) {
        block->half[i] = t.half[i] ^ rk->half[i];
    }
    wm_block_wipe(&t);
}
