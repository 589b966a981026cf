/* SPDX-License-Identifier: BSD-3-Clause */
/** @file board.h
 *  A node of MSP430F1611, CC2420 and a 32 768 Hz crystal. Implements the clock, radio and mark parts of
 *  wardmote/port/tsch_port.h; the image implements the strategy part. Every board has the
 *  functions below. */
#ifndef NODE_MSP430F1611_CC2420_BOARD_H
#define NODE_MSP430F1611_CC2420_BOARD_H

#include <stdbool.h>
#include <wardmote/tsch.h>
#include "clock.h"
#include "cpu.h"
#include "registers.h"

/** Sets all pins as the board's wiring needs: marks low, radio unpowered, external flash
 *  deselected. */
void board_pins(void);

/** May `hz` be given to board_clock? */
static inline bool board_clock_valid(uint32_t hz)
{
    return hz >= CLOCK_MIN_HZ && hz <= CLOCK_MAX_HZ;
}

/** Sets the CPU's clock.
 *  @retval false  it cannot be reached */
static inline bool board_clock(uint32_t hz)
{
    return clock_calibrate(hz);
}

/** Ticks, SPI and radio. Interrupts are enabled by board_run.
 *  @retval false  no radio */
bool board_start(void);

/** Runs `node` for ever: alarms and frame edges in the order of their ticks, sleep between them. */
_Noreturn void board_run(wm_tsch *node);

/** Everything off, for ever. */
static inline _Noreturn void board_halt(void)
{
    cpu_irq_disable();
    for (;;) {
        cpu_sr_set(SR_LPM4);
    }
}

#endif
