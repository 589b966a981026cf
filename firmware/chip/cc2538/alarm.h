/* SPDX-License-Identifier: BSD-3-Clause */
/** @file alarm.h
 *  The alarm of tick.h: a number, compared with the counter whenever the main loop turns. A timer only
 *  has to wake the CPU in time for it. This is a part of that timer's source, which includes it once:
 *  tick.c, or fine/tick.c. So the compiler sees counter and alarm together. */
#ifndef CHIP_CC2538_ALARM_H
#define CHIP_CC2538_ALARM_H

#include "tick.h"

/* When it goes off, if it is armed. */
static uint16_t alarm_tick;
static bool alarm_armed;

bool tick_alarm(uint16_t tick)
{
    alarm_tick = tick;
    alarm_armed = (int16_t)(tick - tick_now()) > 0;
    return alarm_armed;
}

bool tick_alarm_due(uint16_t *tick)
{
    *tick = alarm_tick;
    return alarm_armed && (int16_t)(tick_now() - alarm_tick) >= 0;
}

void tick_alarm_clear(void)
{
    alarm_armed = false;
}

#endif
