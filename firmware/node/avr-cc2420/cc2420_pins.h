/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_pins.h
 *  The wires of the CC2420, but those of the SPI: pins.h of the board has them. */
#ifndef NODE_AVR_CC2420_PINS_H
#define NODE_AVR_CC2420_PINS_H

#include <stdbool.h>
#include "pins.h"
#include "registers.h"

#define DRIVES(name, port, change)                                                                 \
    static inline void cc2420_pin_##name(void)                                                     \
    {                                                                                              \
        port change;                                                                               \
    }
#define READS(name, port, bit)                                                                     \
    static inline bool cc2420_pin_##name(void)                                                     \
    {                                                                                              \
        return (port & bit) != 0;                                                                  \
    }

DRIVES(select, PORTB, &= (uint8_t)~PB_CC2420_CSN)
DRIVES(release, PORTB, |= PB_CC2420_CSN)
DRIVES(power, PORTA, |= PA_CC2420_VREG_EN)
DRIVES(reset, PORTA, &= (uint8_t)~PA_CC2420_RESETN)
DRIVES(run, PORTA, |= PA_CC2420_RESETN)
READS(fifop, PINE, PE_CC2420_FIFOP)
READS(fifo, PINB, PB_CC2420_FIFO)
READS(cca, PIND, PD_CC2420_CCA)
READS(sfd, PIND, PD_CC2420_SFD)

#undef DRIVES
#undef READS

#endif
