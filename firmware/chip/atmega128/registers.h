/* SPDX-License-Identifier: BSD-3-Clause */
/** @file registers.h
 *  Registers of the ATmega128 by the names of its data sheet (Atmel 2467), at their data addresses.
 *  Only what firmware uses is here. */
#ifndef CHIP_ATMEGA128_REGISTERS_H
#define CHIP_ATMEGA128_REGISTERS_H

#include "bits.h"

/* Analog to digital converter. */
#define ADCW REG16(0x24) /* ADCL, ADCH */
#define ADCSRA REG8(0x26)
#define ADMUX REG8(0x27)

/* SPI. */
#define SPCR REG8(0x2D)
#define SPSR REG8(0x2E)
#define SPDR REG8(0x2F)

/* USART0. */
#define UBRR0L REG8(0x29)
#define UCSR0B REG8(0x2A)
#define UCSR0A REG8(0x2B)
#define UDR0 REG8(0x2C)

/* USART1. */
#define UBRR1L REG8(0x99)
#define UCSR1B REG8(0x9A)
#define UCSR1A REG8(0x9B)
#define UDR1 REG8(0x9C)

/* EEPROM. */
#define EECR REG8(0x3C)
#define EEDR REG8(0x3D)
#define EEAR REG16(0x3E)

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

/* Timer 1. */
#define TIMSK REG8(0x57)
#define TIFR REG8(0x56)
#define ICR1 REG16(0x46)
#define OCR1A REG16(0x4A)
#define TCNT1 REG16(0x4C)
#define TCCR1B REG8(0x4E)
#define OCIE1A 0x10u
#define TICIE1 0x20u
#define ICF1 0x20u
#define OCF1A 0x10u
#define TOIE1 0x04u
#define TOV1 0x04u

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
