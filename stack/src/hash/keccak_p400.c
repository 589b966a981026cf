/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400], FIPS 202 §3: lanes of 16 bits. */
#include "../util/dead_stack.h"
#include "keccak_p.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK_OFTEN(128, 272) /* the state once more, and what there is no register for */

#define LANE_BITS 16
typedef uint16_t lane;
#include "keccak_p_round.h"

WM_NOINLINE static void permute(lane state[25], uint8_t rounds);
#include "keccak_p400_rounds.h"

void wm_keccak_p400(uint16_t state[25], uint8_t rounds)
{
    permute(state, rounds);
    wipe_dead_stack();
}

#endif
