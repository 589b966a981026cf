/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cycles.h
 *  A counter of CPU cycles for images that measure themselves: SysTick. Every board has the same
 *  names. */
#ifndef BOARD_OPENMOTE_CC2538_CYCLES_H
#define BOARD_OPENMOTE_CC2538_CYCLES_H

#include "registers.h"

#define CYCLES_RELOAD 0x00FFFFFFu

/** Starts it, after clock_start. */
static inline void cycles_start(void)
{
    SYST_RVR = CYCLES_RELOAD;
    SYST_CVR = 0;
    SYST_CSR = SYST_ENABLE | SYST_CORE_CLOCK;
}

/** Eighths of cycles since then, modulo 2^16. */
static inline uint16_t cycles_eighth(void)
{
    return (uint16_t)((CYCLES_RELOAD - SYST_CVR) >> 3);
}

#endif
