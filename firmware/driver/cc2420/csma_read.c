/* SPDX-License-Identifier: BSD-3-Clause */
#include "csma_read.h"
#include "cc2420.h"

void csma_read(uint8_t *to, uint8_t len)
{
    cc2420_read(to, len);
}
