/* SPDX-License-Identifier: BSD-3-Clause */
/* The serial line is USART1, from SMCLK. The handlers are in node_telosb_isr.S. */
#include "node.h"
#include "board.h"
#include "registers.h"
#include "usart.h"

#define P3_UART_PINS 0xC0u
#define BAUD 57600ul
/* Periods of SMCLK in a bit, and eighths of one more: so many bits of eight are longer by one. */
#define DIVIDER (NODE_CLOCK_HZ / BAUD)
#define EIGHTHS ((8ul * NODE_CLOCK_HZ / BAUD) % 8ul)
_Static_assert(EIGHTHS == 6, "MODULATION has as many bits set");
#define MODULATION 0xEEu

void usart_on_empty(void);

bool node_boot(void)
{
    board_pins();
    return clock_start(NODE_CLOCK_HZ);
}

bool node_start(void)
{
    return board_start();
}

void usart_start(void)
{
    P3SEL |= P3_UART_PINS;
    U1CTL = SWRST;
    U1CTL = SWRST | CHAR;
    U1TCTL = SSEL_SMCLK;
    U1BR0 = (uint8_t)DIVIDER;
    U1BR1 = 0;
    U1MCTL = MODULATION;
    ME2 |= UTXE1;
    U1CTL = CHAR;
}

/* The flag was cleared when the last octet was asked for, unless none was sent yet. */
void usart_send(void)
{
    IFG2 |= UTXIFG1;
    IE2 |= UTXIE1;
}

void usart_on_empty(void)
{
    uint8_t octet;
    if (usart_next(&octet)) {
        U1TXBUF = octet;
    } else {
        IE2 &= (uint8_t)~UTXIE1;
    }
}
