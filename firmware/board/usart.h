/* SPDX-License-Identifier: BSD-3-Clause */
/** @file usart.h
 *  The serial line of a board: 8 data bits, no parity, one stop bit. A chip or an image
 *  implements it. */
#ifndef BOARD_USART_H
#define BOARD_USART_H

#include <stdbool.h>
#include <stdint.h>

/** 57 600 baud, as Mica2 and MICAz have it in TinyOS; 38 400 where a crystal of 8 MHz gives no other
 *  rate near it. */
void usart_start(void);

/** Asks usart_next for octets, from the interrupt that wants one, until it has none. */
void usart_send(void);

/** What the handler calls.
 *  @retval false  there is no further octet */
bool usart_next(uint8_t *octet);

/** What the handler of an octet that has come calls. A TelosB's line brings none. */
void usart_take(uint8_t octet);

#endif
