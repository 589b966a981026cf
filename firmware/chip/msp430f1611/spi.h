/* SPDX-License-Identifier: BSD-3-Clause */
/** @file spi.h
 *  USART0 as SPI master at SMCLK/2, the fastest it goes: 16 cycles an octet on the wire.
 *
 *  Between chip select and its release a transfer consists of these steps, each from idle to idle:
 *
 *    writes  spi_write* as often as needed, then spi_end: answers are thrown away, but with
 *            spi_last the last one, and the transmitter is kept one octet ahead
 *    reads   spi_read_after1, spi_read_after2 or spi_take_after2
 *    both    spi_exchange, one octet at a time
 *
 *  An interrupt during writes or exchanges only delays them. Reads run in step with the wire
 *  (spi_read.S), with interrupts disabled: 128 octets take 0.26 ms at 8 MHz. */
#ifndef CHIP_MSP430F1611_SPI_H
#define CHIP_MSP430F1611_SPI_H

#include <stdint.h>
#include "registers.h"

/** Takes pins P3.1 SIMO, P3.2 SOMI, P3.3 UCLK. */
void spi_start(void);

/** Writes one octet. */
static inline void spi_write1(uint8_t octet)
{
    while ((IFG1 & UTXIFG0) == 0) {
    }
    U0TXBUF = octet;
}

/** Writes `len` octets (1..65535): 16 cycles each. */
static inline void spi_write(const uint8_t *from, uint16_t len)
{
    do {
        spi_write1(*from++);
    } while (--len != 0);
}

/** Writes `len` octets (1..65535) from `from[len - 1]` down to `from[0]`. */
static inline void spi_write_reversed(const uint8_t *from, uint16_t len)
{
    from += len;
    do {
        spi_write1(*--from);
    } while (--len != 0);
}

/** Waits until the last octet written has left, returns the answer to it and throws the others
 *  away. */
static inline uint8_t spi_last(void)
{
    while ((U0TCTL & TXEPT) == 0) {
    }
    return U0RXBUF;
}

/** Waits until the last octet written has left and throws the answers away. */
static inline void spi_end(void)
{
    (void)spi_last();
}

/** Writes one octet, returns the answer to it. */
static inline uint8_t spi_exchange(uint8_t octet)
{
    U0TXBUF = octet;
    while ((IFG1 & URXIFG0) == 0) {
    }
    return U0RXBUF;
}

/** Writes octet `address`, then reads `len` octets (1..255). MCLK = SMCLK. */
void spi_read_after1(uint8_t address, uint8_t *to, uint8_t len);

/** Writes `address0` and `address1`, then reads `len` octets (1..255). MCLK = SMCLK. */
void spi_read_after2(uint8_t address0, uint8_t address1, uint8_t *to, uint8_t len);

/** The same for 1 + `len` octets: the first is the result, the others go to `to`. */
uint8_t spi_take_after2(uint8_t address0, uint8_t address1, uint8_t *to, uint8_t len);

#endif
