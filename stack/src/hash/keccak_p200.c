/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200], FIPS 202 §3: lanes of 8 bits. */
#include "../util/dead_stack.h"
#include "keccak_p.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK_OFTEN(56, 224) /* the state once more, and what there is no register for */

#define LANE_BITS 8
typedef uint8_t lane;
#include "keccak_p_round.h"

WM_NOINLINE static void permute(lane state[25], uint8_t rounds);
#include "keccak_p200_rounds.h"

void wm_keccak_p200(uint8_t state[25], uint8_t rounds)
{
    permute(state, rounds);
    wipe_dead_stack();
}

#endif
