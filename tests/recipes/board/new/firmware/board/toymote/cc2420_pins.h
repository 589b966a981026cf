/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_pins.h
 *  Where Toymote's CC2420 is connected: CSn P4.3, VREG_EN P4.6, RESETn P4.5, SPI on USART0, SFD P4.1
 *  (Timer_B CCI1A), FIFOP P1.0, FIFO P1.3, CCA P1.4: inputs that nothing here needs. */
#ifndef BOARD_TOYMOTE_CC2420_PINS_H
#define BOARD_TOYMOTE_CC2420_PINS_H

#include "registers.h"

#define CC2420_CSN 0x08u
#define CC2420_VREG_EN 0x40u
#define CC2420_RESETN 0x20u

static inline void cc2420_pin_select(void)
{
    P4OUT &= (uint8_t)~CC2420_CSN;
}

static inline void cc2420_pin_release(void)
{
    P4OUT |= CC2420_CSN;
}

static inline void cc2420_pin_power(void)
{
    P4OUT |= CC2420_VREG_EN;
}

static inline void cc2420_pin_reset(void)
{
    P4OUT &= (uint8_t)~CC2420_RESETN;
}

static inline void cc2420_pin_run(void)
{
    P4OUT |= CC2420_RESETN;
}

#endif
