/* SPDX-License-Identifier: BSD-3-Clause */
#include "usart.h"
#include "cpu.h"

#define BAUD 57600

void usart_start(void)
{
    UCSR0A = U2X; /* 8 cycles a sample: 57 600 baud without error */
    UBRR0L = (uint8_t)(CPU_HZ / (8 * BAUD) - 1);
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
