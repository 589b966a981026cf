/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver of a CC1000 where there is none, and the SPI's clock comes from elsewhere. */
#include "cc1000.h"
#include "cpu.h"
#include "pins.h"

void cc1000_start(void)
{
}

void cc1000_receive(void)
{
    SPCR = SPIE | SPE;
}

void cc1000_transmit(uint8_t pa_pow, uint8_t first)
{
    (void)pa_pow;
    DDRB |= PB_MISO;
    SPCR = SPIE | SPE;
    SPDR = first;
}
