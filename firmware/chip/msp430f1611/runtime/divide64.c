/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of 64 bits for mspabi64.S, one quotient bit a step, most significant first: the same
 * number of steps for all operands. Division by zero ends as in divide.c. */
#include "mspabi.h"

typedef struct division64 {
    uint64_t quotient, remainder;
} division64;

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

static uint64_t magnitude64(int64_t v)
{
    return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

uint64_t runtime_divide_u64(uint64_t n, uint64_t d)
{
    return divide64(n, d).quotient;
}

uint64_t runtime_remainder_u64(uint64_t n, uint64_t d)
{
    return divide64(n, d).remainder;
}

int64_t runtime_divide_s64(int64_t n, int64_t d)
{
    uint64_t q = divide64(magnitude64(n), magnitude64(d)).quotient;
    return (int64_t)((n ^ d) < 0 ? -q : q);
}

int64_t runtime_remainder_s64(int64_t n, int64_t d)
{
    uint64_t r = divide64(magnitude64(n), magnitude64(d)).remainder;
    return (int64_t)(n < 0 ? -r : r);
}
