/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400] from its round; behind the round of every form, which it is compiled with. */
#ifndef WM_HASH_KECCAK_P400_ROUNDS_H
#define WM_HASH_KECCAK_P400_ROUNDS_H

#include "keccak_p.h"

#define ROUNDS 20

/* RC (§3.2.5), of which a lane has room for 16 bits. */
static const lane round_constant[ROUNDS] = {
    0x0001, 0x8082, 0x808a, 0x8000, 0x808b, 0x0001, 0x8081, 0x8009, 0x008a, 0x0088,
    0x8009, 0x000a, 0x808b, 0x008b, 0x8089, 0x8003, 0x8002, 0x0080, 0x800a, 0x000a,
};

static void permute(lane state[25], uint8_t rounds)
{
    for (uint8_t round = (uint8_t)(ROUNDS - rounds); round < ROUNDS; round++) {
        keccak_p_round(state, round_constant[round]);
    }
}

#endif
