/* SPDX-License-Identifier: BSD-3-Clause */
/* A defect: the highest octet first. The three upper ones are those of the time before. */
#include "../platform.h"

uint32_t sleep_timer(void)
{
    uint32_t now = REG(0x400D504C) << 24;
    now |= REG(0x400D5048) << 16;
    now |= REG(0x400D5044) << 8;
    now |= REG(0x400D5040);
    return now;
}
