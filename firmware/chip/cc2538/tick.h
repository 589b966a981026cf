/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tick.h
 *  A tick counter with one alarm: the sleep timer with 32 768 Hz (tick.c), or the MAC timer with 250
 *  kHz (fine/tick.c), as wardmote/tick.h says. */
#ifndef CHIP_CC2538_TICK_H
#define CHIP_CC2538_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/tick.h>

#define TICK_HZ WM_TICK_HZ

/** Enables the interrupt that wakes the CPU. The counter runs since the clock does. */
void tick_start(void);

/** The count now, its low 16 bits. */
uint16_t tick_now(void);

/** Arms the alarm for `tick` (less than 2^15 ahead) and forgets an earlier one, even one that went
 *  off.
 *  @retval false  `tick` is reached or past; nothing is armed */
bool tick_alarm(uint16_t tick);

/** Whether the alarm is armed and its tick, which is told, has come. tick_alarm_clear forgets
 *  it. */
bool tick_alarm_due(uint16_t *tick);
void tick_alarm_clear(void);

/** How the CPU may wait for the alarm. */
typedef enum tick_rest {
    TICK_AWAKE, /**< not at all: the alarm is too near for the timer, or due */
    TICK_SLEEP, /**< until the next interrupt */
    TICK_DEEP,  /**< by tick_power_down, and then asks again */
} tick_rest;

/** With interrupts disabled: makes sure that the timer will wake the CPU in time for the alarm, if
 *  one is armed; before the time that tick_power_down takes, if the alarm is far and `deep` allows
 *  it. */
tick_rest tick_rest_until_alarm(bool deep);

/** clock_power_down; the counter goes on meanwhile. */
void tick_power_down(void);

#endif
