/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400] in little flash, FIPS 202 §3: lanes of 16 bits. */
#include "../src/hash/keccak_p.h"

#ifdef WM_FORM_SMALL

#define LANE_BITS 16
typedef uint16_t lane;
#define ROTATE_1 WM_ROL16_1
#include "keccak_p_round.h"
#include "../src/hash/keccak_p400_rounds.h"

void wm_keccak_p400(uint16_t state[25], uint8_t rounds)
{
    permute(state, rounds);
}

#endif
