/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira-1: key schedule for its three lengths of key.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007: the key schedule adds a constant (q),
 * moves rows (xi), mixes columns (mu), and gives the first four columns, row 0 through the
 * S-box, as round key.
 * Invariants: no branch depends on the key; the S-box is indexed by it (see curupira.h). */
#include <wardmote/ct.h>
#include <wardmote/curupira1.h>
#include "curupira1_rounds.h"

#ifndef WM_FORM_SMALL

/* A row of the key state: 4, 6 or 8 octets, the rest zero. */
typedef union key_row {
    uint8_t octet[8];
    uint16_t half[4];
    uint32_t word[2];
} key_row;

static void give(wm_block96 *round_key, const key_row k[3])
{
    for (uint8_t j = 0; j < 4; j++) {
        round_key->octet[j] = wm_curupira_sbox[k[0].octet[j]];
        round_key->octet[4 + j] = k[1].octet[j];
        round_key->octet[8 + j] = k[2].octet[j];
    }
}

/* xi: row 1 moves left and row 2 right, both by one and round. */
static void move(key_row k[3], uint8_t columns)
{
    uint8_t first = k[1].octet[0], last = k[2].octet[columns - 1];
    for (uint8_t j = 1; j < columns; j++) {
        k[1].octet[j - 1] = k[1].octet[j];
    }
    for (uint8_t j = (uint8_t)(columns - 1); j != 0; j--) {
        k[2].octet[j] = k[2].octet[j - 1];
    }
    k[1].octet[columns - 1] = first;
    k[2].octet[0] = last;
}

/* mu: to each octet 0x1c times the sum of its column. Columns behind the last are zero and stay
 * so. */
static void mix(key_row k[3], uint8_t columns)
{
    for (uint8_t i = 0; i * WM_UNIT_OCTETS < columns; i++) {
        wm_unit sum = (wm_unit)(k[0].wm_units[i] ^ k[1].wm_units[i] ^ k[2].wm_units[i]);
        wm_unit times = (wm_unit)(wm_curupira_doubled(sum) ^ sum);
        times = (wm_unit)(wm_curupira_doubled(times) ^ sum);
        times = wm_curupira_doubled(wm_curupira_doubled(times));
        for (uint8_t row = 0; row < 3; row++) {
            k[row].wm_units[i] ^= times;
        }
    }
}

static void expand(wm_block96 *round_key, uint8_t rounds, const uint8_t *key, uint8_t columns)
{
    key_row k[3];
    const uint8_t *q = wm_curupira_sbox; /* the constants are its first octets */
    for (uint8_t j = 0; j < 8; j++) {
        for (uint8_t row = 0; row < 3; row++) {
            k[row].octet[j] = j < columns ? *key++ : 0;
        }
    }
    give(round_key, k);
    for (; rounds != 0; rounds--) {
        for (uint8_t j = 0; j < columns; j++) {
            k[0].octet[j] ^= *q++;
        }
        move(k, columns);
        mix(k, columns);
        give(++round_key, k);
    }
    wm_wipe(k, sizeof k);
}

/* Rounds 10, 14, 18; columns of the key state 4, 6, 8. */
void wm_curupira1_96_expand(wm_curupira1_96 *ctx, const uint8_t key[12])
{
    expand(ctx->round_key, 10, key, 4);
}

void wm_curupira1_144_expand(wm_curupira1_144 *ctx, const uint8_t key[18])
{
    expand(ctx->round_key, 14, key, 6);
}

void wm_curupira1_192_expand(wm_curupira1_192 *ctx, const uint8_t key[24])
{
    expand(ctx->round_key, 18, key, 8);
}

#endif
