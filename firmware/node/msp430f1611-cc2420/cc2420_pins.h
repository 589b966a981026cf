/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_pins.h
 *  The CC2420 of a node like TelosB: SPI on USART0, CSn, VREG_EN and RESETn on port 4 where the
 *  board's pins.h says, SFD P4.1 (Timer_B CCI1A). FIFOP P1.0, FIFO P1.3 and CCA P1.4 are inputs that
 *  nothing here needs. */
#ifndef NODE_MSP430F1611_CC2420_CC2420_PINS_H
#define NODE_MSP430F1611_CC2420_CC2420_PINS_H

#include "pins.h"
#include "registers.h"

static inline void cc2420_pin_select(void)
{
    P4OUT &= (uint8_t)~P4_CC2420_CSN;
}

static inline void cc2420_pin_release(void)
{
    P4OUT |= P4_CC2420_CSN;
}

static inline void cc2420_pin_power(void)
{
    P4OUT |= P4_CC2420_VREG_EN;
}

static inline void cc2420_pin_reset(void)
{
    P4OUT &= (uint8_t)~P4_CC2420_RESETN;
}

static inline void cc2420_pin_run(void)
{
    P4OUT |= P4_CC2420_RESETN;
}

#endif
