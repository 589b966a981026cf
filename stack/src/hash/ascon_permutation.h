/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation and its state as octets (SP 800-232 §3, §2.1: little-endian). */
#ifndef WM_HASH_ASCON_PERMUTATION_H
#define WM_HASH_ASCON_PERMUTATION_H

#include <wardmote/ascon.h>
#include <wardmote/octets.h>

/** The last `rounds` of the sixteen, 8 or 12 of them. */
void wm_ascon_permute(wm_ascon_state *state, uint8_t rounds);

/** The half word that holds octet `at` of the state. */
static inline uint32_t *wm_ascon_half(wm_ascon_state *state, uint8_t at)
{
    return &state->s[at >> 3][at >> 2 & 1];
}

/** Xors one octet into the state: of a piece that does not fill a block. */
static inline void wm_ascon_xor_octet(wm_ascon_state *state, uint8_t at, uint8_t octet)
{
    *wm_ascon_half(state, at) ^= (uint32_t)octet << 8 * (at & 3);
}

/** One octet of the state. */
static inline uint8_t wm_ascon_octet(wm_ascon_state *state, uint8_t at)
{
    return (uint8_t)(*wm_ascon_half(state, at) >> 8 * (at & 3));
}

#endif
