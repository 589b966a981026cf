/* SPDX-License-Identifier: BSD-3-Clause */
/* A round of Keccak-p with lanes of 8 or 16 bits (FIPS 202 §3.2), for the file that includes this.
 * That file defines `lane`, a type of LANE_BITS.
 *
 * On a CPU of 32 bits a lane is repeated until it fills a register: a rotation of the register
 * rotates every copy. */
#ifndef WM_HASH_KECCAK_P_ROUND_H
#define WM_HASH_KECCAK_P_ROUND_H

#include <stdint.h>
#include "../util/compiler.h"

#if UINTPTR_MAX > 0xffff
typedef uint32_t copies;
#define COPIES_BITS 32
#define EACH (LANE_BITS == 8 ? 0x01010101u : 0x00010001u)
#else
typedef lane copies;
#define COPIES_BITS LANE_BITS
#define EACH 1
#endif

/* Rotated to the left by an offset of rho, a constant. */
static inline WM_ALWAYS_INLINE copies rotated(copies x, uint8_t offset)
{
    uint8_t n = offset % LANE_BITS;
    return n == 0 ? x : (copies)(x << n | x >> (COPIES_BITS - n));
}

/* chi (§3.2.4) on a plane, whose lanes are where theta, rho and pi have put them. */
static inline WM_ALWAYS_INLINE void chi(lane plane[5], copies b0, copies b1, copies b2, copies b3,
                                        copies b4)
{
    plane[0] = (lane)(b0 ^ (~b1 & b2));
    plane[1] = (lane)(b1 ^ (~b2 & b3));
    plane[2] = (lane)(b2 ^ (~b3 & b4));
    plane[3] = (lane)(b3 ^ (~b4 & b0));
    plane[4] = (lane)(b4 ^ (~b0 & b1));
}

/* pi (§3.2.3) brings lane x of plane y to plane 2 x + 3 y, at y: five lanes of as many planes make
 * one. */
static inline WM_ALWAYS_INLINE void keccak_p_round(lane a[25], lane constant)
{
    lane e[25];
    copies c[5];
    for (uint8_t i = 0; i < 25; i++) {
        e[i] = a[i];
    }
    for (uint8_t x = 0; x < 5; x++) {
        c[x] = (copies)((lane)(e[x] ^ e[x + 5] ^ e[x + 10] ^ e[x + 15] ^ e[x + 20]) * EACH);
    }
    copies d0 = c[4] ^ rotated(c[1], 1), d1 = c[0] ^ rotated(c[2], 1), d2 = c[1] ^ rotated(c[3], 1);
    copies d3 = c[2] ^ rotated(c[4], 1), d4 = c[3] ^ rotated(c[0], 1);
#define B(x, y, offset) rotated((copies)(e[x + 5 * (y)] * EACH ^ d##x), offset)
    chi(a, B(0, 0, 0), B(1, 1, 44), B(2, 2, 43), B(3, 3, 21), B(4, 4, 14));
    chi(a + 5, B(3, 0, 28), B(4, 1, 20), B(0, 2, 3), B(1, 3, 45), B(2, 4, 61));
    chi(a + 10, B(1, 0, 1), B(2, 1, 6), B(3, 2, 25), B(4, 3, 8), B(0, 4, 18));
    chi(a + 15, B(4, 0, 27), B(0, 1, 36), B(1, 2, 10), B(2, 3, 15), B(3, 4, 56));
    chi(a + 20, B(2, 0, 62), B(3, 1, 55), B(4, 2, 39), B(0, 3, 41), B(1, 4, 2));
#undef B
    a[0] ^= constant; /* iota (§3.2.5) */
}

#endif
