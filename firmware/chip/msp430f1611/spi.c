/* SPDX-License-Identifier: BSD-3-Clause */
/* USART0 in SPI mode 0 (clock idles low, data sampled at the rising edge), most significant bit
 * first. */
#include "spi.h"

#define P3_SPI_PINS 0x0Eu

void spi_start(void)
{
    P3SEL |= P3_SPI_PINS;
    U0CTL = SWRST;
    U0CTL = SWRST | CHAR | SYNC | MM;
    U0TCTL = CKPH | SSEL_SMCLK | STC;
    U0BR0 = 2;
    U0BR1 = 0;
    U0MCTL = 0;
    ME1 |= USPIE0;
    U0CTL = CHAR | SYNC | MM;
}
