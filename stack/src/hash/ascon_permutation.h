/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation (SP 800-232 §3) and its state as octets: S_0 to S_4, each little-endian
 * (§2.1). The one file that implements this header decides how a state lies in memory; but a state
 * of zeros is zeros in memory. `octets` may lie at any address; at + len <= 40. */
#ifndef WM_HASH_ASCON_PERMUTATION_H
#define WM_HASH_ASCON_PERMUTATION_H

#include <wardmote/ascon.h>

/** The last `rounds` of the sixteen, 8 or 12 of them. */
void wm_ascon_permute(wm_ascon_state *state, uint8_t rounds);

/** Xors octets into those of the state from `at` on. */
void wm_ascon_xor(wm_ascon_state *state, uint8_t at, const uint8_t *octets, uint8_t len);

/** Reads octets of the state from `at` on. */
void wm_ascon_extract(const wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len);

/** Xors the octets of the state from `at` on into `octets`; what `octets` were becomes a part of
 *  the state. */
void wm_ascon_decrypt(wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len);

/** Xors the octets of the state from `at` on into `octets`, and keeps the result in both. */
void wm_ascon_encrypt(wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len);

#endif
