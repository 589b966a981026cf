/* SPDX-License-Identifier: BSD-3-Clause */
#include "node.h"
#include "cc2420.h"
#include "pins.h"
#include "registers.h"
#include "spi.h"
#include "tick.h"

bool node_boot(void)
{
    PORTA |= PA_LEDS | PA_CC2420_RESETN; /* dark */
    DDRA |= PA_LEDS | PA_CC2420_RESETN | PA_CC2420_VREG_EN;
    return true;
}

bool node_start(void)
{
    tick_start();
    spi_start();
    return cc2420_start();
}
