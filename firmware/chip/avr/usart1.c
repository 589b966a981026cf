/* SPDX-License-Identifier: BSD-3-Clause */
#include "usart1.h"
#include "cpu.h"
#include "registers.h"

#define LOOPS 60000u
#define RECEIVED 0x80u
#define EMPTY 0x20u
#define WRONG 0x18u /* framing error, overrun */

void usart1_start(void)
{
    UCSR1A = U2X;
    UBRR1L = 0;
    UCSR1B = TXEN | RXEN;
}

void usart1_give(uint8_t octet)
{
    while ((UCSR1A & EMPTY) == 0) {
    }
    UDR1 = octet;
}

/* Bit 8 is set if none came. */
static uint16_t one(void)
{
    for (uint16_t loops = LOOPS; loops != 0; loops--) {
        const uint8_t state = UCSR1A;
        if ((state & RECEIVED) != 0) {
            return (uint16_t)(UDR1 | ((state & WRONG) != 0 ? 0x100u : 0u));
        }
    }
    return 0x100u;
}

bool usart1_take(uint8_t *to, uint8_t len)
{
    bool right = true;
    const uint8_t status = SREG;
    cpu_irq_disable();
    for (; len != 0 && right; len--) {
        const uint16_t came = one();
        *to++ = (uint8_t)came;
        right = came < 0x100u;
    }
    SREG = status;
    return right;
}
