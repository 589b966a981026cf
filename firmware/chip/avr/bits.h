/* SPDX-License-Identifier: BSD-3-Clause */
/** @file bits.h
 *  What the registers of an ATmega128 and an ATmega1281 have alike: their bits, but for those of
 *  registers.h. Names are those of the ATmega128's data sheet (Atmel 2467). */
#ifndef CHIP_AVR_BITS_H
#define CHIP_AVR_BITS_H

#include <stdint.h>

#define REG8(address) (*(volatile uint8_t *)(address))
#define REG16(address) (*(volatile uint16_t *)(address))

/* Analog to digital converter. */
#define ADEN 0x80u
#define ADSC 0x40u
#define ADIF 0x10u
#define ADPS_64 0x06u /* clock: CPU's / 64; the converter takes 50 to 200 kHz */

/* SPI. */
#define SPIE 0x80u
#define SPE 0x40u
#define MSTR 0x10u
#define SPIF 0x80u
#define SPI2X 0x01u

/* USART0. */
#define U2X 0x02u
#define UDRIE 0x20u
#define TXEN 0x08u
#define RXEN 0x10u
#define RXCIE 0x80u

/* EEPROM. */
#define EERE 0x01u
#define EEWE 0x02u
#define EEMWE 0x04u
#define EERIE 0x08u

/* Ports. */
#define PB_SS 0x01u
#define PB_SCK 0x02u
#define PB_MOSI 0x04u
#define PB_MISO 0x08u
#define PD_ICP1 0x10u

/* Timer 1. */
#define TCCR1B_CTC_8 0x0Au /* up to OCR1A, CPU's clock / 8 */
#define TCCR1B_8 0x02u     /* up to 65 535, CPU's clock / 8 */
#define TCCR1B_256 0x04u   /* the same, CPU's clock / 256 */
#define ICES1 0x40u        /* TCCR1B: a rising edge is captured */

/* Status. */
#define SREG REG8(0x5F)

#endif
