/* SPDX-License-Identifier: BSD-3-Clause */
/* A defect: the CPU goes back to LPM3, where the receiver has no clock. */
#include "../hal.h"

void line_edge(void)
{
}
