/* SPDX-License-Identifier: BSD-3-Clause */
/* A frame is read in parts, because a part is read with interrupts off: 16 cycles an octet and some 70
 * more, 36 us at 8 MHz, while an octet of a line of 115 200 baud takes 87 us. */
#include "cc2420.h"
#include "csma_read.h"

#define PART 16u

void csma_read(uint8_t *to, uint8_t len)
{
    while (len > PART) {
        cc2420_read(to, PART);
        to += PART;
        len = (uint8_t)(len - PART);
    }
    cc2420_read(to, len);
}
