/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation (SP 800-232 §3) in little flash: it has loops; src/hash/ascon_permutation.c
 * has none and explains more. For a CPU that shifts by any number of bits at once; the others have
 * assembly. */
#include "../src/hash/ascon_permutation.h"
#include <wardmote/ct.h>
#include "../src/util/compiler.h"
#include "../src/util/rotate.h"

#ifdef WM_FORM_SMALL

/* §3.3 with fewer operations than the standard's circuit: a, c and e are x_0, x_2 and x_4 after its
 * first three. */
static void substitute(wm_ascon_state *s, uint8_t i)
{
    uint32_t x0 = s->lane[0][i], x1 = s->lane[1][i], x3 = s->lane[3][i];
    uint32_t a = x0 ^ s->lane[4][i], c = x1 ^ s->lane[2][i], e = x3 ^ s->lane[4][i];
    s->lane[0][i] = ((c ^ a) | x1) ^ e;
    s->lane[1][i] = ((x3 ^ x1) | c) ^ a;
    s->lane[2][i] = (~e | x3) ^ c;
    s->lane[3][i] = (x0 | e) ^ c;
    s->lane[4][i] = (~a & x1) ^ e;
}

/* y = (x ^ y) >>> n */
static WM_NOINLINE void add_and_rotate(uint32_t y[2], const uint32_t x[2], uint8_t n)
{
    y[0] ^= x[0];
    y[1] ^= x[1];
    wm_ror64(y, n);
}

void wm_ascon_permute(wm_ascon_state *state, uint8_t rounds)
{
    /* §3.4: x ^= x >>> first ^ x >>> second, as x ^= (x ^ x >>> apart) >>> first */
    static const uint8_t first[5] = {19, 39, 1, 10, 7},
                         apart[5] = {28 - 19, 61 - 39, 6 - 1, 17 - 10, 41 - 7};
    uint32_t y[2];
    for (uint8_t constant = (uint8_t)(0x4b + 0x0f * (rounds - 1)); constant != 0x3c;
         constant -= 0x0f) {
        state->lane[2][0] ^= constant; /* §3.2 */
        substitute(state, 0);
        substitute(state, 1);
        for (uint8_t i = 0; i < 5; i++) {
            uint32_t *x = state->lane[i];
            y[0] = 0;
            y[1] = 0;
            add_and_rotate(y, x, apart[i]);
            add_and_rotate(y, x, first[i]);
            x[0] ^= y[0];
            x[1] ^= y[1];
        }
    }
    wm_wipe(y, sizeof y);
}

/* The half word that octet `at` of a state is in, and where in it (§2.1: little-endian). */
static uint32_t *half(wm_ascon_state *state, uint8_t at)
{
    return &state->lane[at >> 3][at >> 2 & 1];
}

static uint8_t place(uint8_t at)
{
    return (uint8_t)(8 * (at & 3));
}

void wm_ascon_xor(wm_ascon_state *state, uint8_t at, const uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--, at++) {
        *half(state, at) ^= (uint32_t)*octets++ << place(at);
    }
}

void wm_ascon_extract(const wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--, at++) {
        *octets++ = (uint8_t)(state->lane[at >> 3][at >> 2 & 1] >> place(at));
    }
}

void wm_ascon_decrypt(wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--, at++) {
        *octets ^= (uint8_t)(*half(state, at) >> place(at));
        *half(state, at) ^= (uint32_t)*octets++ << place(at);
    }
}

void wm_ascon_encrypt(wm_ascon_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--, at++) {
        *half(state, at) ^= (uint32_t)*octets << place(at);
        *octets++ = (uint8_t)(*half(state, at) >> place(at));
    }
}

#endif
