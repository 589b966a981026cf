/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600], FIPS 202 §3; names of the standard in comments. A lane is two halves of 32 bits,
 * which fit registers or pairs of registers of our CPUs. */
#include "keccak_f1600.h"
#include <wardmote/octets.h>
#include "../util/dead_stack.h"
#include "../util/rotate.h"
#include "parts.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK(128)

/* RC (§3.2.5), low half first. */
static const uint32_t round_constant[24][2] = {
    {0x00000001, 0x00000000}, {0x00008082, 0x00000000}, {0x0000808a, 0x80000000},
    {0x80008000, 0x80000000}, {0x0000808b, 0x00000000}, {0x80000001, 0x00000000},
    {0x80008081, 0x80000000}, {0x00008009, 0x80000000}, {0x0000008a, 0x00000000},
    {0x00000088, 0x00000000}, {0x80008009, 0x00000000}, {0x8000000a, 0x00000000},
    {0x8000808b, 0x00000000}, {0x0000008b, 0x80000000}, {0x00008089, 0x80000000},
    {0x00008003, 0x80000000}, {0x00008002, 0x80000000}, {0x00000080, 0x80000000},
    {0x0000800a, 0x00000000}, {0x8000000a, 0x80000000}, {0x80008081, 0x80000000},
    {0x00008080, 0x80000000}, {0x80000001, 0x00000000}, {0x80008008, 0x80000000},
};

/* §3.2.1: each lane takes the parity of two columns, the one before it and, rotated, the one
 * behind. */
static void theta(wm_keccak_state *state)
{
    union {
        uint32_t lane[5][2];
        uint16_t half[5][4];
        uint8_t octet[5][8];
    } c;
    for (uint8_t x = 0; x < 5; x++) {
        part(*column)[PARTS] = state->PART + x;
        for (uint8_t i = 0; i < PARTS; i++) {
            c.PART[x][i] =
                column[0][i] ^ column[5][i] ^ column[10][i] ^ column[15][i] ^ column[20][i];
        }
    }
    for (uint8_t x = 0; x < 5; x++) {
        uint8_t before = x == 0 ? 4 : (uint8_t)(x - 1), behind = x == 4 ? 0 : (uint8_t)(x + 1);
        uint32_t d[2] = {c.lane[behind][0], c.lane[behind][1]};
        wm_ror64(d, 63);
        d[0] ^= c.lane[before][0];
        d[1] ^= c.lane[before][1];
        for (uint8_t y = x; y < 25; y = (uint8_t)(y + 5)) {
            state->lane[y][0] ^= d[0];
            state->lane[y][1] ^= d[1];
        }
    }
}

/* A lane goes to `place`, rotated; what was there goes next. */
#define MOVE(place, right)                                                                         \
    do {                                                                                           \
        uint32_t low = lane[place][0], high = lane[place][1];                                      \
        wm_ror64(moved, right);                                                                    \
        lane[place][0] = moved[0];                                                                 \
        lane[place][1] = moved[1];                                                                 \
        moved[0] = low;                                                                            \
        moved[1] = high;                                                                           \
    } while (0)

/* rho and pi (§3.2.2, §3.2.3): from lane (1, 0) on every lane but (0, 0) is somebody's place, in
 * one chain. */
static void rho_and_pi(uint32_t lane[25][2])
{
    uint32_t moved[2] = {lane[1][0], lane[1][1]};
    MOVE(10, 63);
    MOVE(7, 61);
    MOVE(11, 58);
    MOVE(17, 54);
    MOVE(18, 49);
    MOVE(3, 43);
    MOVE(5, 36);
    MOVE(16, 28);
    MOVE(8, 19);
    MOVE(21, 9);
    MOVE(24, 62);
    MOVE(4, 50);
    MOVE(15, 37);
    MOVE(23, 23);
    MOVE(19, 8);
    MOVE(13, 56);
    MOVE(12, 39);
    MOVE(2, 21);
    MOVE(20, 2);
    MOVE(14, 46);
    MOVE(22, 25);
    MOVE(9, 3);
    MOVE(6, 44);
    MOVE(1, 20);
}

/* chi (§3.2.4), on a row of five lanes. */
static void chi(part row[5][PARTS]){
#define CHI(i)                                                                                     \
    {                                                                                              \
        part a = row[0][i], b = row[1][i], c = row[2][i], d = row[3][i], e = row[4][i];            \
        row[0][i] = (part)(a ^ (~b & c));                                                          \
        row[1][i] = (part)(b ^ (~c & d));                                                          \
        row[2][i] = (part)(c ^ (~d & e));                                                          \
        row[3][i] = (part)(d ^ (~e & a));                                                          \
        row[4][i] = (part)(e ^ (~a & b));                                                          \
    }
    EACH_PART(CHI)
#undef CHI
}

/* §3.3, §3.4 */
WM_NOINLINE static void permute(wm_keccak_state *state)
{
    for (uint8_t round = 0; round < 24; round++) {
        theta(state);
        rho_and_pi(state->lane);
        for (uint8_t y = 0; y < 25; y = (uint8_t)(y + 5)) {
            chi(state->PART + y);
        }
        state->lane[0][0] ^= round_constant[round][0]; /* iota (§3.2.5) */
        state->lane[0][1] ^= round_constant[round][1];
    }
}

void wm_keccak_f1600(wm_keccak_state *state)
{
    permute(state);
    wipe_dead_stack();
}

/* Octets of the state (§3.1.2): lanes are little-endian. Four at a time where they fill half a
 * lane. */
void wm_keccak_f1600_xor(wm_keccak_state *state, uint8_t at, const uint8_t *octets, uint8_t len)
{
    while (len != 0) {
        uint32_t *half = &state->lane[at >> 3][at >> 2 & 1];
        uint8_t taken = (at & 3) == 0 && len >= 4 ? 4 : 1;
        *half ^= taken == 4 ? wm_load_le32(octets) : (uint32_t)*octets << 8 * (at & 3);
        octets += taken;
        at = (uint8_t)(at + taken);
        len = (uint8_t)(len - taken);
    }
}

void wm_keccak_f1600_extract(const wm_keccak_state *state, uint8_t at, uint8_t *octets, uint8_t len)
{
    for (; len != 0; at++, len--) {
        *octets++ = (uint8_t)(state->lane[at >> 3][at >> 2 & 1] >> 8 * (at & 3));
    }
}

#endif
