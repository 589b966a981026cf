/* SPDX-License-Identifier: BSD-3-Clause */
/* Key schedule of Curupira-2 in the least flash: the key is moved.
 * References: Simplicio et al., "The CURUPIRA-2 block cipher for constrained platforms", CEUR-WS
 * 397, 2008: before each round the key takes in a constant and is multiplied by x^8 modulo x^96
 * + x^16 + x^13 + x^11 + 1; the round key is the key with its row 0 through the S-box.
 * Invariants: no branch depends on the key; the boxes of the S-box are indexed by it (see
 * curupira.h). */
#include <wardmote/ct.h>
#include <wardmote/curupira2.h>
#include "../src/cipher/curupira1_rounds.h"
#include "curupira_substituted.h"

#ifdef WM_FORM_SMALL

#define ROUNDS 10

void wm_curupira2_expand(wm_curupira2 *ctx, const uint8_t key[12])
{
    uint8_t k[12];
    for (uint8_t i = 0; i < 12; i++) {
        k[i] = key[i];
    }
    for (uint8_t round = 0; round <= ROUNDS; round++) {
        uint8_t *to = ctx->round_key[round].octet;
        for (uint8_t i = 0; i < 12; i = (uint8_t)(i + 3), to++) {
            to[0] = wm_curupira_substituted(k[i]);
            to[4] = k[i + 1];
            to[8] = k[i + 2];
        }
        uint8_t out = (uint8_t)(k[0] ^ wm_curupira_substituted(round));
        for (uint8_t i = 0; i < 11; i++) {
            k[i] = k[i + 1];
        }
        k[9] ^= (uint8_t)(out ^ out >> 3 ^ out >> 5);
        k[10] ^= (uint8_t)(out << 5 ^ out << 3);
        k[11] = out;
    }
    wm_wipe(k, sizeof k);
}

#endif
