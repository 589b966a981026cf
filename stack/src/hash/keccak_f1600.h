/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] (FIPS 202 §3) and its state as the octets of §3.1.2. The one file that implements
 * this header decides how a state lies in memory; but a state of zeros is zeros in memory. */
#ifndef WM_HASH_KECCAK_F1600_H
#define WM_HASH_KECCAK_F1600_H

#include <wardmote/keccak.h>

/** All 24 rounds. */
void wm_keccak_f1600(wm_keccak_state *state);

/** Xors `len` octets into those of the state from `at` on; at + len <= 200. `octets` may lie at any
 *  address. */
void wm_keccak_f1600_xor(wm_keccak_state *state, uint8_t at, const uint8_t *octets, uint8_t len);

/** Reads the `len` octets of the state from `at` on; at + len <= 200. */
void wm_keccak_f1600_extract(const wm_keccak_state *state, uint8_t at, uint8_t *octets,
                             uint8_t len);

#endif
