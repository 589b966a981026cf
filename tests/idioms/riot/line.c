/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin and stdout are USART0, 57 600 baud; what is heard waits in a ring. */
#include "parts.h"

#define RING 32u

static volatile char ring[RING];
static volatile uint8_t put_at, get_at;

ISR(USART0_RX_vect)
{
    ring[put_at++ % RING] = (char)UDR0;
}

static int put(char c, FILE *stream)
{
    if (c == '\n') {
        put('\r', stream);
    }
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = (uint8_t)c;
    return 0;
}

static int get(FILE *stream)
{
    (void)stream;
    while (get_at == put_at) {
        radio_poll();
        thread_yield();
    }
    return ring[get_at++ % RING];
}

static FILE line = FDEV_SETUP_STREAM(put, get, _FDEV_SETUP_RW);

void line_start(void)
{
    UBRR0H = 0;
    UBRR0L = 15;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    stdin = stdout = &line;
}
