/* SPDX-License-Identifier: BSD-3-Clause */
/* Key schedule of Curupira-1 in the least flash, octet by octet.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007: the key schedule adds a constant (q),
 * moves rows (xi), mixes columns (mu), and gives the first four columns, row 0 through the
 * S-box, as round key.
 * Invariants: no branch depends on the key; the boxes of the S-box are indexed by it (see
 * curupira.h). */
#include <wardmote/ct.h>
#include <wardmote/curupira1.h>
#include "../src/cipher/curupira1_rounds.h"
#include "curupira_substituted.h"

#ifdef WM_FORM_SMALL

/* Row i, column j of the key state is octet i + 3j. */
static void expand(wm_block96 *round_key, uint8_t rounds, const uint8_t *key, uint8_t octets)
{
    uint8_t k[24], q = 0;
    for (uint8_t i = 0; i < octets; i++) {
        k[i] = key[i];
    }
    for (;; rounds--) {
        for (uint8_t j = 0; j < 4; j++) {
            round_key->octet[j] = wm_curupira_substituted(k[3 * j]);
            round_key->octet[4 + j] = k[3 * j + 1];
            round_key->octet[8 + j] = k[3 * j + 2];
        }
        round_key++;
        if (rounds == 0) {
            break;
        }
        uint8_t first = k[1], last = k[octets - 1];
        for (uint8_t i = 0; i < octets; i = (uint8_t)(i + 3)) {
            /* the constants are the first octets of the S-box */
            k[i] ^= wm_curupira_substituted(q++);
            k[i + 1] = i + 3 == octets ? first : k[i + 4];
            uint8_t j = (uint8_t)(octets - 1 - i);
            k[j] = j == 2 ? last : k[j - 3];
        }
        /* mu: 0x1c times the sum of the column */
        for (uint8_t i = 0; i < octets; i = (uint8_t)(i + 3)) {
            uint8_t sum = (uint8_t)(k[i] ^ k[i + 1] ^ k[i + 2]), times = sum;
            for (uint8_t bit = 4; bit != 0; bit--) {
                times = (uint8_t)wm_curupira_doubled(times);
                if (bit >= 3) {
                    times ^= sum;
                }
            }
            k[i] ^= times;
            k[i + 1] ^= times;
            k[i + 2] ^= times;
        }
    }
    wm_wipe(k, sizeof k);
}

/* Rounds 10, 14, 18. */
void wm_curupira1_96_expand(wm_curupira1_96 *ctx, const uint8_t key[12])
{
    expand(ctx->round_key, 10, key, 12);
}

void wm_curupira1_144_expand(wm_curupira1_144 *ctx, const uint8_t key[18])
{
    expand(ctx->round_key, 14, key, 18);
}

void wm_curupira1_192_expand(wm_curupira1_192 *ctx, const uint8_t key[24])
{
    expand(ctx->round_key, 18, key, 24);
}

#endif
