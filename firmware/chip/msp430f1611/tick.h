/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tick.h
 *  Timer_B as 32 768 Hz tick counter (ACLK, free running, 16 bits), with one alarm (CCR0) and
 *  stamped edges of one pin (CCR1, input CCI1A = P4.1). Interrupt handlers only note what happened
 *  and wake the CPU. */
#ifndef CHIP_MSP430F1611_TICK_H
#define CHIP_MSP430F1611_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include "registers.h"

#define TICK_HZ 32768

/** One edge of P4.1. */
typedef struct tick_edge {
    uint16_t tick; /**< count at the edge */
    bool high;     /**< level after it: rising or falling */
    bool missed;   /**< at least one edge before it was lost */
} tick_edge;

/** Starts the counter; P4.1 becomes the capture input. */
void tick_start(void);

/** The count now. */
uint16_t tick_now(void);

/** Arms the alarm for `tick` (less than 2^15 ahead) and forgets an earlier one, even one that went
 *  off.
 *  @retval false  `tick` is reached or past; nothing is armed */
bool tick_alarm(uint16_t tick);

/** Whether the alarm went off since it was armed, and for which tick. tick_alarm_clear forgets
 *  it. */
bool tick_alarm_due(uint16_t *tick);
void tick_alarm_clear(void);

/** Whether an alarm is armed and has not gone off. */
bool tick_alarm_armed(void);

/** Edges are kept while on. Turning it on or off forgets what was kept. */
void tick_capture(bool on);

/** The oldest edge kept.
 *  @retval false  none */
bool tick_edge_first(tick_edge *edge);

/** Edges kept, up to 15. */
uint8_t tick_edges_kept(void);

/** Forgets the oldest edge. */
void tick_edge_drop(void);

/** Sleeps in the low-power mode `mode` (bits of the status register) unless an alarm or edge is
 *  waiting. Returns with interrupts enabled. */
void tick_sleep(uint16_t mode);
#define TICK_DOZE SR_LPM0 /**< the mode in which all clocks but the CPU's run */

#endif
