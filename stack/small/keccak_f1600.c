/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] (FIPS 202 §3) in little flash: it has loops and two tables of 24 octets;
 * src/hash/keccak_f1600.c has neither and explains more. For a CPU that shifts by any number of
 * bits at once; the others have assembly. */
#include "../src/hash/keccak_f1600.h"
#include "../src/util/dead_stack.h"
#include "../src/util/rotate.h"

#ifdef WM_FORM_SMALL

WM_DEAD_STACK(128)

/* Where pi (§3.2.3) takes lane 1, what it takes from there, and so on until lane 1 is reached
 * again. */
static const uint8_t place[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                  15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

/* RC of each round (§3.2.5): bits 0, 1, 3 and 7 in their places, bits 15, 31 and 63 as 2, 4 and
 * 5. */
static const uint8_t iota[24] = {0x01, 0x86, 0xae, 0x34, 0x8f, 0x11, 0xb5, 0x2d,
                                 0x8a, 0x88, 0x1d, 0x1a, 0x9f, 0xab, 0xad, 0x27,
                                 0x26, 0xa0, 0x0e, 0x3a, 0xb5, 0xa4, 0x11, 0x3c};

static void theta(uint32_t lane[25][2])
{
    uint32_t c[7][2]; /* parities of columns 4, 0, 1, 2, 3, 4, 0 */
    for (uint8_t x = 0; x < 7; x++) {
        c[x][0] = 0;
        c[x][1] = 0;
        for (uint8_t y = (uint8_t)((x + 4) % 5); y < 25; y = (uint8_t)(y + 5)) {
            c[x][0] ^= lane[y][0];
            c[x][1] ^= lane[y][1];
        }
    }
    for (uint8_t x = 0; x < 5; x++) {
        wm_ror64(c[x + 2], 63);
        uint32_t low = c[x][0] ^ c[x + 2][0], high = c[x][1] ^ c[x + 2][1];
        wm_ror64(c[x + 2], 1);
        for (uint8_t y = x; y < 25; y = (uint8_t)(y + 5)) {
            lane[y][0] ^= low;
            lane[y][1] ^= high;
        }
    }
}

static void rho_and_pi(uint32_t lane[25][2])
{
    uint32_t moved[2] = {lane[1][0], lane[1][1]};
    for (uint8_t t = 0, right = 0; t < 24;) {
        uint32_t *to = lane[place[t++]], low = to[0], high = to[1];
        /* the lane that is the t-th moves by 1 + 2 + .. + t bits to the left (§3.2.2) */
        right = (right - t) & 63;
        wm_ror64(moved, right);
        to[0] = moved[0];
        to[1] = moved[1];
        moved[0] = low;
        moved[1] = high;
    }
}

/* One half of each lane of a row. */
static void chi(uint32_t row[5][2], uint8_t half)
{
    uint32_t first = row[0][half], second = row[1][half];
    for (uint8_t x = 0; x < 3; x++) {
        row[x][half] ^= ~row[x + 1][half] & row[x + 2][half];
    }
    row[3][half] ^= ~row[4][half] & first;
    row[4][half] ^= ~first & second;
}

WM_NOINLINE static void permute(wm_keccak_state *state)
{
    for (uint8_t round = 0; round < 24; round++) {
        theta(state->lane);
        rho_and_pi(state->lane);
        for (uint8_t y = 0; y < 25; y = (uint8_t)(y + 5)) {
            chi(&state->lane[y], 0);
            chi(&state->lane[y], 1);
        }
        uint32_t constant = iota[round];
        state->lane[0][0] ^= (constant & 0x8b) ^ (constant & 4) << 13 ^ (constant & 16) << 27;
        state->lane[0][1] ^= (constant & 32) << 26;
    }
}

void wm_keccak_f1600(wm_keccak_state *state)
{
    permute(state);
    wipe_dead_stack();
}

/* The octets of a state (§3.1.2: little-endian), one at a time. */
void wm_keccak_f1600_xor(wm_keccak_state *state, uint8_t at, const uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--, at++) {
        state->lane[at >> 3][at >> 2 & 1] ^= (uint32_t)*octets++ << 8 * (at & 3);
    }
}

void wm_keccak_f1600_extract(const wm_keccak_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--, at++) {
        *octets++ = (uint8_t)(state->lane[at >> 3][at >> 2 & 1] >> 8 * (at & 3));
    }
}

#endif
