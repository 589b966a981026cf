/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc1000.h
 *  CC1000 at 433.002 MHz and 19.2 kbit/s, coded by Manchester's rule, on an ATmega128 that is the
 *  slave of its data clock.
 *
 *  An octet takes 416.67 us, 3072 cycles of 7.3728 MHz. With each one the SPI interrupts
 *  (VECTOR_SPI). The handler reads with cc1000_take what was received, and while the radio sends it
 *  writes the octet that goes out next with cc1000_give: within a bit, 52 us or 384 cycles, else the
 *  octet before goes out once more.
 *
 *  Received octets have no alignment: the program finds the shift by its sync word. The oscillator
 *  of the receiver is above the carrier, so received bits come turned over; cc1000_take turns them
 *  back. Times are waited for, with interrupts as they are. */
#ifndef CC1000_H
#define CC1000_H

#include <stdint.h>
#include "registers.h"

/** Output power of 0 dBm, and the most at 433 MHz, 10 dBm (SWRS048). */
#define CC1000_PA_0_DBM 0x0Fu
#define CC1000_PA_MOST 0xFFu

/** Writes and reads a register over the three wires: 16 bits, some 30 us. */
void cc1000_write(uint8_t address, uint8_t value);
uint8_t cc1000_read(uint8_t address);

/** From power-on: starts the crystal, sets frequency and modem, calibrates receiver and transmitter.
 *  Takes up to 72 ms. The radio then sleeps with its crystal on. */
void cc1000_start(void);

/** Everything off but the registers. The crystal needs 2 ms when the radio is used again. */
void cc1000_off(void);

/** The crystal on, all else off; after cc1000_off it waits for 2 ms. */
void cc1000_on(void);

/** The receiver on, and octets to the SPI from 250 us later on, when this returns. */
void cc1000_receive(void);

/** The transmitter on with that output power. Returns after 270 us; the octets of cc1000_give go out
 *  from then on. To be called with the first octet, because it goes out at once. */
void cc1000_transmit(uint8_t pa_pow, uint8_t first);

/** The level on the air as the ADC tells it, 0 to 1023: the higher, the weaker. Takes one conversion
 *  of 13 clocks of 115.2 kHz, 113 us; twice as long after a reset. */
uint16_t cc1000_rssi(void);

/** The octet received last. */
static inline uint8_t cc1000_take(void)
{
    return (uint8_t)~SPDR;
}

/** The octet that goes out next. */
static inline void cc1000_give(uint8_t octet)
{
    SPDR = octet;
}

#endif
