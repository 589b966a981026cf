/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cycles.h
 *  A counter of CPU cycles for images that measure themselves: Timer_A counts SMCLK, which is MCLK,
 *  divided by 8. Every board has the same names. */
#ifndef NODE_MSP430F1611_CC2420_CYCLES_H
#define NODE_MSP430F1611_CC2420_CYCLES_H

#include "registers.h"

/** Starts it, after clock_start. */
static inline void cycles_start(void)
{
    TACTL = TSSEL_SMCLK | ID_8 | MC_CONTINUOUS | TCLR;
}

/** Eighths of cycles since then, modulo 2^16. */
static inline uint16_t cycles_eighth(void)
{
    return TAR;
}

#endif
