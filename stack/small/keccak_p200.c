/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200] in little flash, FIPS 202 §3: lanes of 8 bits. */
#include "../src/hash/keccak_p.h"

#ifdef WM_FORM_SMALL

#define LANE_BITS 8
typedef uint8_t lane;
#define ROTATE_1 WM_ROL8_1
#include "keccak_p_round.h"
#include "../src/hash/keccak_p200_rounds.h"

void wm_keccak_p200(uint8_t state[25], uint8_t rounds)
{
    permute(state, rounds);
}

#endif
