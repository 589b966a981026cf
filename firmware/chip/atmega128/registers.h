/* SPDX-License-Identifier: BSD-3-Clause */
/** @file registers.h
 *  Registers of the ATmega128 by the names of its data sheet (Atmel 2467), at their data addresses.
 *  Only what firmware uses is here. */
#ifndef CHIP_ATMEGA128_REGISTERS_H
#define CHIP_ATMEGA128_REGISTERS_H

#include <stdint.h>

#define REG8(address) (*(volatile uint8_t *)(address))
#define REG16(address) (*(volatile uint16_t *)(address))

/* Analog to digital converter. */
#define ADCW REG16(0x24) /* ADCL, ADCH */
#define ADCSRA REG8(0x26)
#define ADMUX REG8(0x27)
#define ADEN 0x80u
#define ADSC 0x40u
#define ADIF 0x10u
#define ADPS_64 0x06u /* clock: CPU's / 64; the converter takes 50 to 200 kHz */

/* SPI. */
#define SPCR REG8(0x2D)
#define SPSR REG8(0x2E)
#define SPDR REG8(0x2F)
#define SPIE 0x80u
#define SPE 0x40u
#define MSTR 0x10u
#define SPIF 0x80u
#define SPI2X 0x01u

/* USART0. */
#define UBRR0L REG8(0x29)
#define UCSR0B REG8(0x2A)
#define UCSR0A REG8(0x2B)
#define UDR0 REG8(0x2C)
#define U2X 0x02u
#define UDRIE 0x20u
#define TXEN 0x08u
#define RXEN 0x10u
#define RXCIE 0x80u

/* EEPROM. */
#define EECR REG8(0x3C)
#define EEDR REG8(0x3D)
#define EEAR REG16(0x3E)
#define EERE 0x01u
#define EEWE 0x02u
#define EEMWE 0x04u
#define EERIE 0x08u

/* Ports. */
#define PIND REG8(0x30)
#define DDRD REG8(0x31)
#define PORTD REG8(0x32)
#define PINB REG8(0x36)
#define DDRB REG8(0x37)
#define PORTB REG8(0x38)
#define PINA REG8(0x39)
#define DDRA REG8(0x3A)
#define PORTA REG8(0x3B)
#define PINE REG8(0x21)
#define PB_SS 0x01u
#define PB_SCK 0x02u
#define PB_MOSI 0x04u
#define PB_MISO 0x08u
#define PD_ICP1 0x10u

/* Timer 1. */
#define TIMSK REG8(0x57)
#define TIFR REG8(0x56)
#define ICR1 REG16(0x46)
#define OCR1A REG16(0x4A)
#define TCNT1 REG16(0x4C)
#define TCCR1B REG8(0x4E)
#define OCIE1A 0x10u
#define TCCR1B_CTC_8 0x0Au /* up to OCR1A, CPU's clock / 8 */
#define TCCR1B_8 0x02u     /* up to 65 535, CPU's clock / 8 */
#define TCCR1B_256 0x04u   /* the same, CPU's clock / 256 */
#define ICES1 0x40u        /* TCCR1B: a rising edge is captured */
#define TICIE1 0x20u
#define ICF1 0x20u
#define OCF1A 0x10u
#define TOIE1 0x04u
#define TOV1 0x04u

/* Status. */
#define SREG REG8(0x5F)

/* Sleep. */
#define MCUCR REG8(0x55)
#define SE 0x20u
#define SLEEP_IDLE 0x00u
#define SLEEP_POWER_DOWN 0x10u
#define SLEEP_POWER_SAVE 0x18u

/* Interrupt vectors by their numbers. */
#define VECTOR_TIMER1_CAPTURE __vector_11
#define VECTOR_TIMER1_COMPARE_A __vector_12
#define VECTOR_TIMER1_OVERFLOW __vector_14
#define VECTOR_SPI __vector_17
#define VECTOR_USART0_RECEIVED __vector_18
#define VECTOR_USART0_EMPTY __vector_19

#endif
