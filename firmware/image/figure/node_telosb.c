/* SPDX-License-Identifier: BSD-3-Clause */
/* Timer_A counts SMCLK, which is the CPU's clock after reset. USART1, the line to the USB chip, speaks
 * 9600 baud from the crystal, so that the frequency of the DCO does not matter: 32 768 / 9600 is 3
 * and 3/8, nearly (SLAU049, USART, UART mode: modulation). */
#include "node.h"
#include "registers.h"

#define P3_UART_PINS 0xC0u
#define MODULATION 0x4Au
#define SSEL_ACLK 0x10u    /* U1TCTL */
#define CONTINUOUS 0x0020u /* TACTL */

void node_start(void)
{
    P3SEL |= P3_UART_PINS;
    U1CTL = SWRST;
    U1CTL = SWRST | CHAR;
    U1TCTL = SSEL_ACLK;
    U1BR0 = 3;
    U1BR1 = 0;
    U1MCTL = MODULATION;
    ME2 |= UTXE1;
    U1CTL = CHAR;
    TACTL = TSSEL_SMCLK | CONTINUOUS;
}

uint16_t node_cycles(void)
{
    return TAR;
}

void node_say(char octet)
{
    while ((IFG2 & UTXIFG1) == 0) {
    }
    U1TXBUF = (uint8_t)octet;
}
