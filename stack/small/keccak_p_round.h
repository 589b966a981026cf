/* SPDX-License-Identifier: BSD-3-Clause */
/* A round of Keccak-p with lanes of 8 or 16 bits in little flash (FIPS 202 §3.2), for the file that
 * includes this. That has said what a `lane` is, a type of LANE_BITS, and what rotates one by a bit
 * to the left, ROTATE_1. */
#ifndef WM_SMALL_KECCAK_P_ROUND_H
#define WM_SMALL_KECCAK_P_ROUND_H

#include <stdint.h>
#include "../src/util/rotate.h"

/* Where pi (§3.2.3) takes lane 1, what it takes from there, and so on until lane 1 is reached
 * again. */
static const uint8_t place[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                  15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

static inline lane rotated(lane x, uint8_t n)
{
#if UINTPTR_MAX > 0xffff
    return (lane)(x << n | x >> (LANE_BITS - n));
#else
    while (n-- != 0) {
        ROTATE_1(x);
    }
    return x;
#endif
}

static inline void keccak_p_round(lane a[25], lane constant)
{
    lane c[7]; /* parities of columns 4, 0, 1, 2, 3, 4, 0 */
    for (uint8_t x = 0; x < 5; x++) {
        c[x + 1] = (lane)(a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    }
    c[0] = c[5];
    c[6] = c[1];
    for (uint8_t x = 0; x < 5; x++) {
        lane d = c[x + 2];
        ROTATE_1(d);
        d ^= c[x];
        for (uint8_t at = x; at < 25; at = (uint8_t)(at + 5)) {
            a[at] ^= d;
        }
    }
    /* rho: the lane that is the t-th moves by 1 + 2 + .. + t bits (§3.2.2). */
    lane moved = a[1];
    for (uint8_t t = 0, by = 0; t < 24;) {
        lane *to = &a[place[t++]], next = *to;
        by = (uint8_t)((by + t) % LANE_BITS);
        *to = rotated(moved, by);
        moved = next;
    }
    for (lane *row = a; row != a + 25; row += 5) {
        lane first = row[0], second = row[1];
        for (uint8_t x = 0; x < 3; x++) {
            row[x] ^= (lane)(~row[x + 1] & row[x + 2]);
        }
        row[3] ^= (lane)(~row[4] & first);
        row[4] ^= (lane)(~first & second);
    }
    a[0] ^= constant; /* iota (§3.2.5) */
}

#endif
