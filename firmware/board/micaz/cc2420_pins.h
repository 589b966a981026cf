/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_pins.h
 *  The wires of the MICAz's CC2420, but those of the SPI. */
#ifndef BOARD_MICAZ_CC2420_PINS_H
#define BOARD_MICAZ_CC2420_PINS_H

#include <stdbool.h>
#include "pins.h"
#include "registers.h"

static inline void cc2420_pin_select(void)
{
    PORTB &= (uint8_t)~PB_CC2420_CSN;
}

static inline void cc2420_pin_release(void)
{
    PORTB |= PB_CC2420_CSN;
}

static inline void cc2420_pin_power(void)
{
    PORTA |= PA_CC2420_VREG_EN;
}

static inline void cc2420_pin_reset(void)
{
    PORTA &= (uint8_t)~PA_CC2420_RESETN;
}

static inline void cc2420_pin_run(void)
{
    PORTA |= PA_CC2420_RESETN;
}

static inline bool cc2420_pin_fifop(void)
{
    return (PINE & PE_CC2420_FIFOP) != 0;
}

static inline bool cc2420_pin_fifo(void)
{
    return (PINB & PB_CC2420_FIFO) != 0;
}

static inline bool cc2420_pin_cca(void)
{
    return (PIND & PD_CC2420_CCA) != 0;
}

static inline bool cc2420_pin_sfd(void)
{
    return (PIND & PD_CC2420_SFD) != 0;
}

#endif
