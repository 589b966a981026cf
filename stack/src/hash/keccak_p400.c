/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400], FIPS 202 §3: lanes of 16 bits. Ketje overwrites what stays in the stack. */
#include "keccak_p.h"

#ifndef WM_FORM_SMALL

#define LANE_BITS 16
typedef uint16_t lane;
#include "keccak_p_round.h"
#include "keccak_p400_rounds.h"

#endif
