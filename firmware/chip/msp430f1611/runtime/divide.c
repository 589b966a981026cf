/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of mspabi.h, one quotient bit a step, most significant first: the same number of steps
 * for all operands. */
#include "mspabi.h"

typedef struct division16 {
    uint16_t quotient, remainder;
} division16;

typedef struct division32 {
    uint32_t quotient, remainder;
} division32;

static inline division16 divide16(uint16_t n, uint16_t d)
{
    uint16_t r = 0;
    for (uint8_t step = 16; step != 0; step--) {
        uint16_t top = (uint16_t)(r >> 15); /* r doubled may need a 17th bit */
        r = (uint16_t)(r << 1 | n >> 15);
        n = (uint16_t)(n << 1);
        if (top != 0 || r >= d) {
            r = (uint16_t)(r - d);
            n |= 1;
        }
    }
    return (division16){n, r};
}

static inline division32 divide32(uint32_t n, uint32_t d)
{
    uint32_t r = 0;
    for (uint8_t step = 32; step != 0; step--) {
        uint16_t top = (uint16_t)(r >> 16) >> 15;
        r = r << 1 | (uint16_t)((uint16_t)(n >> 16) >> 15);
        n <<= 1;
        if (top != 0 || r >= d) {
            r -= d;
            n |= 1;
        }
    }
    return (division32){n, r};
}

static uint16_t magnitude16(int16_t v)
{
    return v < 0 ? (uint16_t)-(uint16_t)v : (uint16_t)v;
}

static uint32_t magnitude32(int32_t v)
{
    return v < 0 ? -(uint32_t)v : (uint32_t)v;
}

uint16_t __mspabi_divu(uint16_t n, uint16_t d)
{
    return divide16(n, d).quotient;
}

uint16_t __mspabi_remu(uint16_t n, uint16_t d)
{
    return divide16(n, d).remainder;
}

int16_t __mspabi_divi(int16_t n, int16_t d)
{
    uint16_t q = divide16(magnitude16(n), magnitude16(d)).quotient;
    return (int16_t)((n ^ d) < 0 ? (uint16_t)-q : q);
}

int16_t __mspabi_remi(int16_t n, int16_t d)
{
    uint16_t r = divide16(magnitude16(n), magnitude16(d)).remainder;
    return (int16_t)(n < 0 ? (uint16_t)-r : r);
}

uint32_t __mspabi_divul(uint32_t n, uint32_t d)
{
    return divide32(n, d).quotient;
}

uint32_t __mspabi_remul(uint32_t n, uint32_t d)
{
    return divide32(n, d).remainder;
}

int32_t __mspabi_divli(int32_t n, int32_t d)
{
    uint32_t q = divide32(magnitude32(n), magnitude32(d)).quotient;
    return (int32_t)((n ^ d) < 0 ? -q : q);
}

int32_t __mspabi_remli(int32_t n, int32_t d)
{
    uint32_t r = divide32(magnitude32(n), magnitude32(d)).remainder;
    return (int32_t)(n < 0 ? -r : r);
}
