/* SPDX-License-Identifier: BSD-3-Clause */
/** @file usart1.h
 *  The second serial line of a chip, for what is soldered beside it: eight cycles of the CPU a bit, 8
 *  data bits, no parity, one stop bit. Nothing comes unless it was asked for, so no handler waits. */
#ifndef BOARD_USART1_H
#define BOARD_USART1_H

#include <stdbool.h>
#include <stdint.h>

void usart1_start(void);

/** Sends an octet, when there is room for it. */
void usart1_give(uint8_t octet);

/** Takes `len` octets; interrupts wait.
 *  @retval false  one did not come within 60 000 loops, some 0.1 s, or one was damaged or lost */
bool usart1_take(uint8_t *to, uint8_t len);

#endif
