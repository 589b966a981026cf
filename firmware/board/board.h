/* SPDX-License-Identifier: BSD-3-Clause */
/** @file board.h
 *  What every board with a radio does for its images. It implements the clock, radio and mark parts
 *  of wardmote/port/tsch_port.h; the image implements the strategy part. */
#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

#include <stdbool.h>
#include <wardmote/tsch.h>
#include "clock.h"
#include "cpu.h"

/** Sets all pins as the wiring of the board needs: pins of marks are low, external flash is
 *  deselected, and a radio with a supply of its own has no power. */
void board_pins(void);

/** Has the radio send its first symbol `symbols` symbol periods of 16 us after it was told to. For
 *  before board_start; without it there are 12.
 *  @retval false  the radio cannot */
bool board_turnaround(uint8_t symbols);

/** Ticks, radio and what leads to it. Interrupts are enabled by board_run. The pins are set and the
 *  clock runs.
 *  @retval false  no radio */
bool board_start(void);

/** The image's: something that it does between events, one piece at a time.
 *  @retval false  there is nothing to do before the next event */
bool board_work(wm_tsch *node);

/** Runs `node` for ever: alarms and frame edges in the order of their ticks, sleep between them. */
_Noreturn void board_run(wm_tsch *node);

#endif
