/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of Curupira in the least flash, octet by octet. src/cipher/curupira1_rounds.c tells why
 * decryption adds a round key before theta.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007: gamma, pi, theta, sigma.
 * Invariants: no branch depends on key or block; the boxes of the S-box are indexed by both (see
 * curupira.h). */
#include <wardmote/ct.h>
#include "../src/cipher/curupira1_rounds.h"
#include "../src/util/compiler.h"
#include "curupira_substituted.h"

#ifdef WM_FORM_SMALL

/* sigma: row i, column j of the key is octet 4i + j, of the block i + 3j. */
WM_NOINLINE static void add(uint8_t block[12], const wm_block96 *key)
{
    const uint8_t *k = key->octet;
    for (uint8_t i = 0; i < 3; i++) {
        for (uint8_t at = i; at < 12; at = (uint8_t)(at + 3)) {
            block[at] ^= *k++;
        }
    }
}

/* gamma and pi: row i, column j comes from column j xor i. Both are exchanges. `moved` is room for
 * the octets where they go. */
WM_NOINLINE static void substitute(uint8_t block[12], uint8_t moved[12])
{
    for (uint8_t j = 0, to = 0; j < 4; j++) {
        for (uint8_t i = 0; i < 3; i++) {
            moved[to++] = wm_curupira_substituted(block[3 * (j ^ i) + i]);
        }
    }
    for (uint8_t i = 0; i < 12; i++) {
        block[i] = moved[i];
    }
}

/* theta. */
WM_NOINLINE static void mix(uint8_t block[12])
{
    for (uint8_t j = 4; j != 0; j--, block += 3) {
        uint8_t twice = (uint8_t)wm_curupira_doubled((wm_unit)(block[0] ^ block[1] ^ block[2]));
        uint8_t four = (uint8_t)wm_curupira_doubled(twice);
        block[0] ^= twice;
        block[1] ^= four;
        block[2] ^= (uint8_t)(twice ^ four);
    }
}

void wm_curupira_encrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12])
{
    uint8_t moved[12];
    add(block, round_key++);
    for (;;) {
        substitute(block, moved);
        if (--rounds == 0) {
            break;
        }
        mix(block);
        add(block, round_key++);
    }
    add(block, round_key);
    wm_wipe(moved, sizeof moved);
}

void wm_curupira_decrypt(const wm_block96 *round_key, uint8_t rounds, uint8_t block[12])
{
    uint8_t moved[12];
    round_key += rounds;
    add(block, round_key);
    for (;;) {
        substitute(block, moved);
        add(block, --round_key);
        if (--rounds == 0) {
            break;
        }
        mix(block);
    }
    wm_wipe(moved, sizeof moved);
}

void wm_curupira_sct(uint8_t block[12])
{
    uint8_t moved[12];
    for (uint8_t round = 4; round != 0; round--) {
        substitute(block, moved);
        mix(block);
    }
    wm_wipe(moved, sizeof moved);
}

#endif
