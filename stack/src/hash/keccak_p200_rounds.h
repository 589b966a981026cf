/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200] from its round; behind the round of every form, which it is compiled with. */
#ifndef WM_HASH_KECCAK_P200_ROUNDS_H
#define WM_HASH_KECCAK_P200_ROUNDS_H

#include "keccak_p.h"

#define ROUNDS 18

/* RC (§3.2.5), of which a lane has room for 8 bits. */
static const lane round_constant[ROUNDS] = {
    0x01, 0x82, 0x8a, 0x00, 0x8b, 0x01, 0x81, 0x09, 0x8a,
    0x88, 0x09, 0x0a, 0x8b, 0x8b, 0x89, 0x03, 0x02, 0x80,
};

static void permute(lane state[25], uint8_t rounds)
{
    for (uint8_t round = (uint8_t)(ROUNDS - rounds); round < ROUNDS; round++) {
        keccak_p_round(state, round_constant[round]);
    }
}

#endif
