/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of Curupira, on rows.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007: gamma (the S-box), pi (octets move
 * within rows), theta (each column times a matrix), sigma (the round key).
 * Invariants: no branch depends on key or block; the S-box is indexed by both (see curupira.h).
 *
 * gamma, pi and theta are involutions, and gamma and pi commute. Decryption takes the round keys
 * the other way round and adds each before theta, where encryption adds it after: theta(x) +
 * theta(k) = theta(x + k). */
#include <stddef.h>
#include "../util/dead_stack.h"
#include "curupira1_rounds.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK_OFTEN(56, 80) /* rows */

/* Units of a row. */
#define ROW (4 / WM_UNIT_OCTETS)

/* Row i, column j of `rows` is octet 4i + j; of `block` it is octet i + 3j. */
static inline void load(wm_block96 *rows, const uint8_t block[12])
{
    for (uint8_t j = 0; j < 4; j++, block += 3) {
        rows->octet[j] = block[0];
        rows->octet[4 + j] = block[1];
        rows->octet[8 + j] = block[2];
    }
}

static inline void store(uint8_t block[12], const wm_block96 *rows)
{
    for (uint8_t j = 0; j < 4; j++, block += 3) {
        block[0] = rows->octet[j];
        block[1] = rows->octet[4 + j];
        block[2] = rows->octet[8 + j];
    }
}

static inline void add(wm_block96 *rows, const wm_block96 *key)
{
    for (uint8_t i = 0; i < 3 * ROW; i++) {
        rows->wm_units[i] ^= key->wm_units[i];
    }
}

/* gamma and pi: row i, column j comes from column j xor i. Written out: on small CPUs an index
 * costs more than a move. */
static inline void substitute(wm_block96 *to, const wm_block96 *from)
{
    to->octet[0] = wm_curupira_sbox[from->octet[0]];
    to->octet[1] = wm_curupira_sbox[from->octet[1]];
    to->octet[2] = wm_curupira_sbox[from->octet[2]];
    to->octet[3] = wm_curupira_sbox[from->octet[3]];
    to->octet[4] = wm_curupira_sbox[from->octet[5]];
    to->octet[5] = wm_curupira_sbox[from->octet[4]];
    to->octet[6] = wm_curupira_sbox[from->octet[7]];
    to->octet[7] = wm_curupira_sbox[from->octet[6]];
    to->octet[8] = wm_curupira_sbox[from->octet[10]];
    to->octet[9] = wm_curupira_sbox[from->octet[11]];
    to->octet[10] = wm_curupira_sbox[from->octet[8]];
    to->octet[11] = wm_curupira_sbox[from->octet[9]];
}

/* theta of `from`, with a key added before it, after it, or none: the matrix [3 2 2; 4 5 4; 6 6 7]
 * is the identity and 2, 4 and 6 times the sum of a column. */
static inline void mix(wm_block96 *to, const wm_block96 *from, const wm_block96 *before,
                       const wm_block96 *after)
{
    for (uint8_t i = 0; i < ROW; i++) {
        wm_unit a0 = from->wm_units[i], a1 = from->wm_units[ROW + i],
                a2 = from->wm_units[2 * ROW + i];
        if (before != NULL) {
            a0 ^= before->wm_units[i];
            a1 ^= before->wm_units[ROW + i];
            a2 ^= before->wm_units[2 * ROW + i];
        }
        wm_unit twice = wm_curupira_doubled((wm_unit)(a0 ^ a1 ^ a2)),
                four = wm_curupira_doubled(twice);
        a0 ^= twice;
        a1 ^= four;
        a2 ^= (wm_unit)(twice ^ four);
        if (after != NULL) {
            a0 ^= after->wm_units[i];
            a1 ^= after->wm_units[ROW + i];
            a2 ^= after->wm_units[2 * ROW + i];
        }
        to->wm_units[i] = a0;
        to->wm_units[ROW + i] = a1;
        to->wm_units[2 * ROW + i] = a2;
    }
}

WM_NOINLINE static void encrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12])
{
    wm_block96 rows, moved;
    load(&rows, block);
    add(&rows, round_key++);
    for (; rounds > 1; rounds--) {
        substitute(&moved, &rows);
        mix(&rows, &moved, NULL, round_key++);
    }
    substitute(&moved, &rows);
    add(&moved, round_key);
    store(block, &moved);
}

WM_NOINLINE static void decrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12])
{
    wm_block96 rows, moved;
    round_key += rounds;
    load(&rows, block);
    add(&rows, round_key--);
    for (; rounds > 1; rounds--) {
        substitute(&moved, &rows);
        mix(&rows, &moved, round_key--, NULL);
    }
    substitute(&moved, &rows);
    add(&moved, round_key);
    store(block, &moved);
}

WM_NOINLINE static void sct(uint8_t block[12])
{
    wm_block96 rows, moved;
    load(&rows, block);
    for (uint8_t round = 4; round != 0; round--) {
        substitute(&moved, &rows);
        mix(&rows, &moved, NULL, NULL);
    }
    store(block, &rows);
}

void wm_curupira_encrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12])
{
    encrypt(round_key, rounds, block);
    wipe_dead_stack();
}

void wm_curupira_decrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12])
{
    decrypt(round_key, rounds, block);
    wipe_dead_stack();
}

void wm_curupira_sct(uint8_t block[12])
{
    sct(block);
    wipe_dead_stack();
}

#endif
