/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400] and Keccak-p[200] (FIPS 202 §3): lane (x, y) of the state is at x + 5 y, as a
 * number. */
#ifndef WM_HASH_KECCAK_P_H
#define WM_HASH_KECCAK_P_H

#include <stdint.h>

/** The last `rounds` of the twenty, 1 or more of them. */
void wm_keccak_p400(uint16_t state[25], uint8_t rounds);

/** The last `rounds` of the eighteen, 1 or more of them. */
void wm_keccak_p200(uint8_t state[25], uint8_t rounds);

#endif
