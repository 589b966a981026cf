/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of mspabi.h, one quotient bit a step, most significant first: the same number of steps
 * for all operands. */
#include "divisions.h"

DIVISION_TYPE(16);
DIVISION_TYPE(32);

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

DIVISIONS(16, __mspabi_divu, __mspabi_remu, __mspabi_divi, __mspabi_remi)
DIVISIONS(32, __mspabi_divul, __mspabi_remul, __mspabi_divli, __mspabi_remli)
