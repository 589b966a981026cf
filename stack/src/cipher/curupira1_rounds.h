/* SPDX-License-Identifier: BSD-3-Clause */
/* The rounds of both Curupiras and what their key schedules need of them. */
#ifndef WM_CIPHER_CURUPIRA1_ROUNDS_H
#define WM_CIPHER_CURUPIRA1_ROUNDS_H

#include <stdint.h>
#include <wardmote/curupira.h>
#include "../util/unit.h"

/* The S-box; an involution. */
extern const uint8_t wm_curupira_sbox[256];

/* Each octet of `x` times two in GF(2^8) modulo x^8 + x^6 + x^3 + x^2 + 1. By shifts of the bits
 * that fall out: no product and no mask, of which clang makes a branch on the MSP430. */
static inline wm_unit wm_curupira_doubled(wm_unit x)
{
    wm_unit out = (wm_unit)(x & (wm_unit)0x80808080u);
    x = (wm_unit)((wm_unit)(x ^ out) << 1);
    out = (wm_unit)(out >> 1);
    x = (wm_unit)(x ^ out);
    out = (wm_unit)(out >> 3);
    x = (wm_unit)(x ^ out);
    out = (wm_unit)(out >> 1);
    x = (wm_unit)(x ^ out);
    return (wm_unit)(x ^ out >> 2);
}

/* Encrypts and decrypts the 12 octets at `block` with round keys 0..`rounds`, each row by row. */
void wm_curupira_encrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12]);
void wm_curupira_decrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12]);

#endif
