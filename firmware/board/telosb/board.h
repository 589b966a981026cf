/* SPDX-License-Identifier: BSD-3-Clause */
/** @file board.h
 *  TelosB: MSP430F1611, CC2420, 32 768 Hz crystal. Fulfils the clock, radio and mark parts of wardmote/port/tsch_port.h;
 *  the strategy part is the image's. */
#ifndef BOARD_TELOSB_BOARD_H
#define BOARD_TELOSB_BOARD_H

#include <stdbool.h>
#include <wardmote/tsch.h>

/** All pins to what the board's wiring asks, marks low, radio unpowered, external flash deselected. */
void board_pins(void);

/** Ticks, SPI and radio. Interrupts are enabled by board_run. @retval false  no radio */
bool board_start(void);

/** Runs `node` for ever: alarms and frame edges in the order of their ticks, sleep between them. */
_Noreturn void board_run(wm_tsch *node);

#endif
