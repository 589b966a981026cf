/* SPDX-License-Identifier: BSD-3-Clause */
#include "usart.h"
#include "cpu.h"
#include "pins.h"

/* Eight cycles a sample; rounded to the nearest. */
#define DIVIDER ((CPU_HZ + 4 * USART_BAUD) / (8 * USART_BAUD))

void usart_start(void)
{
    UCSR0A = U2X;
    UBRR0L = (uint8_t)(DIVIDER - 1);
    UCSR0B = TXEN | RXEN | RXCIE;
}

void usart_send(void)
{
    UCSR0B |= UDRIE;
}

CPU_HANDLER(VECTOR_USART0_EMPTY)
{
    uint8_t octet;
    if (usart_next(&octet)) {
        UDR0 = octet;
    } else {
        UCSR0B &= (uint8_t)~UDRIE;
    }
}

CPU_HANDLER(VECTOR_USART0_RECEIVED)
{
    usart_take(UDR0);
}
