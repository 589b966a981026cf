/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack in the least flash: one loop over 32 steps, the words of the block moved on in each.
 * References: Skipjack specification 2.0: rules A and B, permutation G.
 * Invariants: no branch depends on key or block; F is indexed by both (see skipjack.h). */
#include <wardmote/octets.h>
#include "skipjack_f.h"

void wm_skipjack_small_encrypt(const wm_skipjack *ctx, uint8_t block[8])
{
    uint16_t w1 = wm_load_be16(block), w2 = wm_load_be16(block + 2);
    uint16_t w3 = wm_load_be16(block + 4), w4 = wm_load_be16(block + 6);
    uint8_t at = 0;
    for (uint8_t counter = 1; counter <= 32; counter++) {
        uint8_t g1 = (uint8_t)(w1 >> 8), g2 = (uint8_t)w1;
        /* G: each round makes the other octet, so that after four all is in place */
        for (uint8_t i = 0; i < 4; i++) {
            uint8_t t = (uint8_t)(g1 ^ wm_skipjack_f[(uint8_t)(g2 ^ ctx->cv[at])]);
            g1 = g2;
            g2 = t;
            at = (uint8_t)(at == 9 ? 0 : at + 1);
        }
        uint16_t g = (uint16_t)((unsigned)g1 << 8 | g2), last = w4;
        w4 = w3;
        if (((counter - 1) & 8) == 0) { /* rule A */
            w3 = w2;
            w1 = (uint16_t)(g ^ last ^ counter);
        } else { /* rule B */
            w3 = (uint16_t)(w1 ^ w2 ^ counter);
            w1 = last;
        }
        w2 = g;
    }
    wm_store_be16(block, w1);
    wm_store_be16(block + 2, w2);
    wm_store_be16(block + 4, w3);
    wm_store_be16(block + 6, w4);
}

void wm_skipjack_small_decrypt(const wm_skipjack *ctx, uint8_t block[8])
{
    uint16_t w1 = wm_load_be16(block), w2 = wm_load_be16(block + 2);
    uint16_t w3 = wm_load_be16(block + 4), w4 = wm_load_be16(block + 6);
    uint8_t at = 32 * 4 % 10;
    for (uint8_t counter = 32; counter != 0; counter--) {
        uint8_t g1 = (uint8_t)(w2 >> 8), g2 = (uint8_t)w2;
        for (uint8_t i = 0; i < 4; i++) {
            at = (uint8_t)(at == 0 ? 9 : at - 1);
            uint8_t t = (uint8_t)(g2 ^ wm_skipjack_f[(uint8_t)(g1 ^ ctx->cv[at])]);
            g2 = g1;
            g1 = t;
        }
        uint16_t g = (uint16_t)((unsigned)g1 << 8 | g2), first = w1;
        if (((counter - 1) & 8) == 0) { /* rule A */
            first = (uint16_t)(w1 ^ w2 ^ counter);
            w2 = w3;
        } else { /* rule B */
            w2 = (uint16_t)(g ^ w3 ^ counter);
        }
        w3 = w4;
        w4 = first;
        w1 = g;
    }
    wm_store_be16(block, w1);
    wm_store_be16(block + 2, w2);
    wm_store_be16(block + 4, w3);
    wm_store_be16(block + 6, w4);
}
