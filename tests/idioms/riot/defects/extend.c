/* SPDX-License-Identifier: BSD-3-Clause */
/* A defect: an overflow that waits for its handler is not seen. */
#include "../parts.h"

uint16_t ticks_high(uint16_t low, bool overflow_waits)
{
    (void)low;
    (void)overflow_waits;
    return ticks_overflows;
}
