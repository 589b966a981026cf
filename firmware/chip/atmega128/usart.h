/* SPDX-License-Identifier: BSD-3-Clause */
/** @file usart.h
 *  USART0 as a transmitter: 8 data bits, no parity, one stop bit. */
#ifndef CHIP_ATMEGA128_USART_H
#define CHIP_ATMEGA128_USART_H

#include <stdbool.h>
#include <stdint.h>

/** 57 600 baud from a crystal of 7.3728 MHz, as Mica2 and MICAz have it in TinyOS. */
void usart_start(void);

/** Asks usart_next for octets, from the interrupt that wants one, until it has none. */
void usart_send(void);

/** What the handler calls.
 *  @retval false  there is no further octet */
bool usart_next(uint8_t *octet);

#endif
