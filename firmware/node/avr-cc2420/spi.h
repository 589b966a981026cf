/* SPDX-License-Identifier: BSD-3-Clause */
/** @file spi.h
 *  The SPI as master at half the CPU's clock, the fastest it goes: 16 cycles an octet on the wire. Mode
 *  0 (clock idles low, data sampled at the rising edge), most significant bit first.
 *
 *  Every function waits until its last octet has passed. An interrupt only delays it. */
#ifndef NODE_AVR_CC2420_SPI_H
#define NODE_AVR_CC2420_SPI_H

#include <stdint.h>
#include "registers.h"

/** Takes pins PB0 SS, PB1 SCK, PB2 MOSI, PB3 MISO. SS is an output, and high: as an input it would
 *  end the master's mode when it is low. */
static inline void spi_start(void)
{
    PORTB |= PB_SS;
    DDRB = (uint8_t)((DDRB | PB_SS | PB_SCK | PB_MOSI) & (uint8_t)~PB_MISO);
    SPCR = SPE | MSTR;
    SPSR = SPI2X;
}

/** Exchanges an octet. */
static inline uint8_t spi_exchange(uint8_t octet)
{
    SPDR = octet;
    while ((SPSR & SPIF) == 0) {
    }
    return SPDR;
}

/** Writes an octet, whose answer is thrown away. */
static inline void spi_write1(uint8_t octet)
{
    (void)spi_exchange(octet);
}

/** `len` octets, 1 or more. */
void spi_write(const uint8_t *from, uint16_t len);

/** From the last one down to the first. */
void spi_write_reversed(const uint8_t *from, uint16_t len);

/** Behind the last of several writes: the answer to it. */
static inline uint8_t spi_last(void)
{
    return SPDR;
}

/** Behind the last of several writes: here nothing is left to be done. */
static inline void spi_end(void)
{
}

/** Octet `address`, then `len` answers, 1 or more. */
void spi_read_after1(uint8_t address, uint8_t *to, uint8_t len);

/** Two octets, then the answers. */
void spi_read_after2(uint8_t address0, uint8_t address1, uint8_t *to, uint8_t len);

/** Two octets, then an answer, which is returned, and `len` more. */
uint8_t spi_take_after2(uint8_t address0, uint8_t address1, uint8_t *to, uint8_t len);

#endif
