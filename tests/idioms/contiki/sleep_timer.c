/* SPDX-License-Identifier: BSD-3-Clause */
/* The lowest octet first: its read latches the others. */
#include "platform.h"

uint32_t sleep_timer(void)
{
    uint32_t now = REG(0x400D5040);
    now |= REG(0x400D5044) << 8;
    now |= REG(0x400D5048) << 16;
    now |= REG(0x400D504C) << 24;
    return now;
}
