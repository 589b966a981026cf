/* SPDX-License-Identifier: BSD-3-Clause */
/** @file clock.h
 *  MCLK = SMCLK = DCO, calibrated against the 32 768 Hz crystal (ACLK). */
#ifndef CHIP_MSP430F1611_CLOCK_H
#define CHIP_MSP430F1611_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_ACLK_HZ 32768u
#define CLOCK_MIN_HZ 1000000u /**< below, edges of ACLK / 8 would come too fast for the CPU */
#define CLOCK_MAX_HZ 8000000u /**< data sheet: f(system) at 3.6 V */

/** May `hz` be given to clock_start? */
static inline bool clock_valid(uint32_t hz)
{
    return hz >= CLOCK_MIN_HZ && hz <= CLOCK_MAX_HZ;
}

/** Finds the DCO setting of highest frequency that is at most 0.2 % above `hz` and leaves it set.
 *  Takes about 20 ms and Timer_A; interrupts must be disabled.
 *  @retval false  ACLK does not run, or the frequency reached is more than 1 % off; the last
 *                 setting tried stays */
bool clock_start(uint32_t hz);

#endif
