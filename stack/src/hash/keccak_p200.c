/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200], FIPS 202 §3: lanes of 8 bits. Ketje overwrites what stays in the stack. */
#include "keccak_p.h"

#ifndef WM_FORM_SMALL

#define LANE_BITS 8
typedef uint8_t lane;
#include "keccak_p_round.h"
#include "keccak_p200_rounds.h"

#endif
