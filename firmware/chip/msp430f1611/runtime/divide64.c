/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of 64 bits for mspabi64.S, one quotient bit a step, most significant first: the same
 * number of steps for all operands. Division by zero ends as in divide.c. */
#include "divisions.h"

DIVISION_TYPE(64);

static division64 divide64(uint64_t n, uint64_t d)
{
    uint64_t r = 0;
    for (uint8_t step = 64; step != 0; step--) {
        uint16_t top = (uint16_t)(r >> 48) >> 15; /* r doubled may need a 65th bit */
        r = r << 1 | (uint16_t)((uint16_t)(n >> 48) >> 15);
        n <<= 1;
        if (top != 0 || r >= d) {
            r -= d;
            n |= 1;
        }
    }
    return (division64){n, r};
}

DIVISIONS(64, runtime_divide_u64, runtime_remainder_u64, runtime_divide_s64, runtime_remainder_s64)
