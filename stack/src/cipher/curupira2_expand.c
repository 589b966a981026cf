/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira-2 with keys of 96 bits: key schedule.
 * References: Simplicio et al., "The CURUPIRA-2 block cipher for constrained platforms", CEUR-WS
 * 397, 2008: before each round the key takes in a constant and is multiplied by x^8 modulo x^96
 * + x^16 + x^13 + x^11 + 1; the round key is the key with its row 0 through the S-box.
 * Invariants: no branch depends on the key; the S-box is indexed by it (see curupira.h).
 *
 * The key is never moved: a product by x^8 begins one octet further on and changes the two
 * octets where the one that falls out is folded in. */
#include <wardmote/ct.h>
#include <wardmote/curupira2.h>
#include "curupira1_rounds.h"

#ifndef WM_FORM_SMALL

#define ROUNDS 10

/* An octet on in the ring of 12. */
static inline uint8_t after(uint8_t at)
{
    return (uint8_t)(at == 11 ? 0 : at + 1);
}

/* An octet back, from the first to the last. */
static inline uint8_t before(uint8_t at)
{
    return (uint8_t)(at == 0 ? 11 : at - 1);
}

/* The key that begins at `at`, as round key. */
static void give(wm_block96 *round_key, const uint8_t k[12], uint8_t at)
{
    for (uint8_t j = 0; j < 4; j++) {
        round_key->octet[j] = wm_curupira_sbox[k[at]];
        at = after(at);
        round_key->octet[4 + j] = k[at];
        at = after(at);
        round_key->octet[8 + j] = k[at];
        at = after(at);
    }
}

void wm_curupira2_expand(wm_curupira2 *ctx, const uint8_t key[12])
{
    uint8_t k[12];
    for (uint8_t i = 0; i < 12; i++) {
        k[i] = key[i];
    }
    give(ctx->round_key, k, 0);
    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint8_t out = k[i] ^= wm_curupira_sbox[i], at = before(i);
        k[at] ^= (uint8_t)(out << 5 ^ out << 3);
        k[before(at)] ^= (uint8_t)(out ^ out >> 3 ^ out >> 5);
        give(ctx->round_key + i + 1, k, (uint8_t)(i + 1));
    }
    wm_wipe(k, sizeof k);
}

#endif
