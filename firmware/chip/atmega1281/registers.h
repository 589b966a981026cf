/* SPDX-License-Identifier: BSD-3-Clause */
/** @file registers.h
 *  Registers of the ATmega1281 at their data addresses (Atmel 2549, "Register Summary"). What firmware
 *  shares with the ATmega128 has the names of that chip: TIMSK and TIFR are TIMSK1 and TIFR1 here, and
 *  MCUCR with the sleep modes is SMCR. Only what firmware uses is here. */
#ifndef CHIP_ATMEGA1281_REGISTERS_H
#define CHIP_ATMEGA1281_REGISTERS_H

#include "bits.h"

/* Ports. */
#define PINA REG8(0x20)
#define DDRA REG8(0x21)
#define PORTA REG8(0x22)
#define PINB REG8(0x23)
#define DDRB REG8(0x24)
#define PORTB REG8(0x25)
#define PIND REG8(0x29)
#define DDRD REG8(0x2A)
#define PORTD REG8(0x2B)
#define PINE REG8(0x2C)

/* EEPROM. */
#define EECR REG8(0x3F)
#define EEDR REG8(0x40)
#define EEAR REG16(0x41)

/* SPI. */
#define SPCR REG8(0x4C)
#define SPSR REG8(0x4D)
#define SPDR REG8(0x4E)

/* Sleep. */
#define MCUCR REG8(0x53)
#define SE 0x01u
#define SLEEP_IDLE 0x00u
#define SLEEP_POWER_DOWN 0x04u
#define SLEEP_POWER_SAVE 0x06u

/* Timer 1. */
#define TIFR REG8(0x36)
#define TIMSK REG8(0x6F)
#define TCCR1B REG8(0x81)
#define TCNT1 REG16(0x84)
#define ICR1 REG16(0x86)
#define OCR1A REG16(0x88)
#define TICIE1 0x20u
#define ICF1 0x20u
#define OCIE1A 0x02u
#define OCF1A 0x02u
#define TOIE1 0x01u
#define TOV1 0x01u

/* USART0. */
#define UCSR0A REG8(0xC0)
#define UCSR0B REG8(0xC1)
#define UBRR0L REG8(0xC4)
#define UDR0 REG8(0xC6)

/* USART1. */
#define UCSR1A REG8(0xC8)
#define UCSR1B REG8(0xC9)
#define UBRR1L REG8(0xCC)
#define UDR1 REG8(0xCE)

/* Interrupt vectors by their numbers. */
#define VECTOR_TIMER1_CAPTURE __vector_16
#define VECTOR_TIMER1_COMPARE_A __vector_17
#define VECTOR_TIMER1_OVERFLOW __vector_20
#define VECTOR_SPI __vector_24
#define VECTOR_USART0_RECEIVED __vector_25
#define VECTOR_USART0_EMPTY __vector_26

#endif
