/* SPDX-License-Identifier: BSD-3-Clause */
/* The strobe is to be given twice. */
#include "platform.h"

#define RFST REG(0x40088838)

void radio_recover(void)
{
    RFST = 0xED;
    RFST = 0xED;
}
