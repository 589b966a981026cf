/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_pins.h
 *  The CC2420 of a node like TelosB: SPI on USART0, CSn, VREG_EN and RESETn on port 4 where the
 *  board's pins.h says, SFD P4.1 (Timer_B CCI1A), FIFOP P1.0, FIFO P1.3 and CCA P1.4. */
#ifndef NODE_MSP430F1611_CC2420_CC2420_PINS_H
#define NODE_MSP430F1611_CC2420_CC2420_PINS_H

#include <stdbool.h>
#include "pins.h"
#include "registers.h"

#define P1_CC2420_FIFOP 0x01u
#define P1_CC2420_FIFO 0x08u
#define P1_CC2420_CCA 0x10u
#define P4_CC2420_SFD 0x02u

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

static inline bool cc2420_pin_fifop(void)
{
    return (P1IN & P1_CC2420_FIFOP) != 0;
}

static inline bool cc2420_pin_fifo(void)
{
    return (P1IN & P1_CC2420_FIFO) != 0;
}

static inline bool cc2420_pin_cca(void)
{
    return (P1IN & P1_CC2420_CCA) != 0;
}

static inline bool cc2420_pin_sfd(void)
{
    return (P4IN & P4_CC2420_SFD) != 0;
}

#endif
