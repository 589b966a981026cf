/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation, SP 800-232 §3; S_0 to S_4 as in the standard. Each S_i is two halves of 32
 * bits, which fit registers or pairs of registers of our CPUs. */
#include "ascon_permutation.h"
#include <wardmote/octets.h>
#include "../util/dead_stack.h"
#include "../util/rotate.h"
#include "parts.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK_OFTEN(40, 96) /* what there is no register for */

/* §3.3, on as many columns as a part has bits: the S-box as the standard's circuit. */
static inline WM_ALWAYS_INLINE void substitute(wm_ascon_state *state, uint8_t i)
{
    part s0 = state->PART[0][i], s1 = state->PART[1][i], s2 = state->PART[2][i];
    part s3 = state->PART[3][i], s4 = state->PART[4][i];
    s0 ^= s4, s4 ^= s3, s2 ^= s1;
    part t0 = (part)(s0 ^ (~s1 & s2)), t1 = (part)(s1 ^ (~s2 & s3)), t2 = (part)(s2 ^ (~s3 & s4));
    part t3 = (part)(s3 ^ (~s4 & s0)), t4 = (part)(s4 ^ (~s0 & s1));
    state->PART[0][i] = t0 ^ t4;
    state->PART[1][i] = t1 ^ t0;
    state->PART[2][i] = (part)~t2;
    state->PART[3][i] = t3 ^ t2;
    state->PART[4][i] = t4;
}

/* §3.4: x ^= x >>> first ^ x >>> second, as x ^ (x ^ x >>> apart) >>> first: rotations by few
 * single bits. */
static inline WM_ALWAYS_INLINE void diffuse(uint32_t x[2], uint8_t first, uint8_t apart)
{
    uint32_t y[2] = {x[0], x[1]};
    wm_ror64(y, apart);
    y[0] ^= x[0];
    y[1] ^= x[1];
    wm_ror64(y, first);
    x[0] ^= y[0];
    x[1] ^= y[1];
}

WM_NOINLINE static void permute(wm_ascon_state *state, uint8_t rounds)
{
    uint32_t (*s)[2] = state->lane;
    for (uint8_t constant = (uint8_t)(0x4b + 0x0f * (rounds - 1)); constant != 0x3c;
         constant -= 0x0f) {
        s[2][0] ^= constant; /* §3.2 */
#define SUBSTITUTE(i) substitute(state, i);
        EACH_PART(SUBSTITUTE)
#undef SUBSTITUTE
        diffuse(s[0], 19, 28 - 19);
        diffuse(s[1], 39, 61 - 39);
        diffuse(s[2], 1, 6 - 1);
        diffuse(s[3], 10, 17 - 10);
        diffuse(s[4], 7, 41 - 7);
    }
}

void wm_ascon_permute(wm_ascon_state *state, uint8_t rounds)
{
    permute(state, rounds);
    wipe_dead_stack();
}

/* How many octets come next: four, where they fill half a word of the state, or one. */
static uint8_t next(uint8_t at, uint8_t len)
{
    return (at & 3) == 0 && len >= 4 ? 4 : 1;
}

/* Four octets, or one in its place within four. */
static uint32_t load(const uint8_t *octets, uint8_t at, uint8_t taken)
{
    return taken == 4 ? wm_load_le32(octets) : (uint32_t)*octets << 8 * (at & 3);
}

static void store(uint8_t *octets, uint8_t at, uint8_t taken, uint32_t half)
{
    if (taken == 4) {
        wm_store_le32(octets, half);
    } else {
        *octets = (uint8_t)(half >> 8 * (at & 3));
    }
}

void wm_ascon_xor(wm_ascon_state *state, uint8_t at, const uint8_t *octets, uint8_t len)
{
    for (uint8_t end = (uint8_t)(at + len), taken; at != end;
         at = (uint8_t)(at + taken), octets += taken) {
        taken = next(at, (uint8_t)(end - at));
        state->lane[at >> 3][at >> 2 & 1] ^= load(octets, at, taken);
    }
}

void wm_ascon_extract(const wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (uint8_t end = (uint8_t)(at + len), taken; at != end;
         at = (uint8_t)(at + taken), octets += taken) {
        taken = next(at, (uint8_t)(end - at));
        store(octets, at, taken, state->lane[at >> 3][at >> 2 & 1]);
    }
}

void wm_ascon_decrypt(wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (uint8_t end = (uint8_t)(at + len), taken; at != end;
         at = (uint8_t)(at + taken), octets += taken) {
        taken = next(at, (uint8_t)(end - at));
        uint32_t *half = &state->lane[at >> 3][at >> 2 & 1];
        store(octets, at, taken, *half ^ load(octets, at, taken));
        *half ^= load(octets, at, taken);
    }
}

void wm_ascon_encrypt(wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (uint8_t end = (uint8_t)(at + len), taken; at != end;
         at = (uint8_t)(at + taken), octets += taken) {
        taken = next(at, (uint8_t)(end - at));
        uint32_t *half = &state->lane[at >> 3][at >> 2 & 1];
        *half ^= load(octets, at, taken);
        store(octets, at, taken, *half);
    }
}

#endif
