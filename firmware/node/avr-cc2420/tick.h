/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tick.h
 *  Timer 1 as counter of ticks of 256 cycles, with one alarm and stamped edges of pin ICP1. Handlers
 *  note what happened; the loop asks. The names are those of the MSP430F1611's tick counter. */
#ifndef NODE_AVR_CC2420_TICK_H
#define NODE_AVR_CC2420_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include "cpu.h"
#include "pins.h"

/** Ticks a second: of 34.7 us at 7.3728 MHz, of 32 us at 8 MHz. */
#define TICK_HZ (CPU_HZ / 256)

/** Free running, 16 bits. */
void tick_start(void);
uint16_t tick_now(void);

/** For a tick less than 2^15 ahead. The alarm before is forgotten, even if it has gone off.
 *  @retval false  it is now, or was: there is no alarm */
bool tick_alarm(uint16_t tick);

/** Whether the alarm has gone off and was not cleared since; which one. */
bool tick_alarm_due(uint16_t *tick);
void tick_alarm_clear(void);

/** An edge of PD4. */
typedef struct tick_edge {
    uint16_t tick;
    bool high;   /**< rising */
    bool missed; /**< one before it was too near to be told from it, or too many waited */
} tick_edge;

/** Begins to keep edges, up to 7, or no longer does. Those that were kept are forgotten. */
void tick_capture(bool on);

/** The oldest one, which stays until it is dropped.
 *  @retval false  none */
bool tick_edge_first(tick_edge *edge);
void tick_edge_drop(void);

/** Sleeps in `mode` unless the alarm has gone off or an edge waits. Interrupts are enabled before and
 *  after. */
void tick_sleep(uint8_t mode);
#define TICK_DOZE SLEEP_IDLE /**< the mode in which all clocks but the CPU's run */

/** From a handler: the alarm has gone off, whatever tick it is, so that tick_sleep ends. */
void tick_wake(void);

#endif
