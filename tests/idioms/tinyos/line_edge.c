/* SPDX-License-Identifier: BSD-3-Clause */
/* An octet comes: until it is here, sleep is no deeper than its clock allows. */
#include "hal.h"

void line_edge(void)
{
    line_comes = true;
}
