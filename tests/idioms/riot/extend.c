/* SPDX-License-Identifier: BSD-3-Clause */
/* An overflow that has happened and was not counted yet belongs to a small `low`; behind a large one
 * it came after `low` was read. */
#include "parts.h"

uint16_t ticks_high(uint16_t low, bool overflow_waits)
{
    return ticks_overflows + (overflow_waits && low < 0x8000);
}
