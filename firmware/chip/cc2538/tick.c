/* SPDX-License-Identifier: BSD-3-Clause */
/* The timer's compare register only has to wake the CPU in time for the alarm (alarm.h). So an alarm
 * can be armed for any tick, the next one too, although the register cannot: a value written to it
 * is used 5 ticks later (SWRU319, sleep timer), and none can be written while one is taken over. An
 * alarm nearer than that keeps the CPU awake. A compare value of an alarm that was replaced wakes it
 * once for nothing. */
#include "alarm.h"
#include "clock.h"
#include "cpu.h"
#include "registers.h"

/* The counter may move once while the compare value is written, and the CPU must be asleep before
 * the match. */
#define COMPARE_LEAD 6

/* Nearer alarms are not worth the crystal's start. */
#define DEEP_TICKS 66 /* 2 ms */

/* The value of the compare register. */
static uint32_t compare;

void isr_sleep_timer(void);

/* The interrupt only has to wake the CPU. */
void isr_sleep_timer(void)
{
}

/* Takes over all four octets with the write of ST0. */
static void set_compare(uint32_t tick)
{
    compare = tick;
    ST3 = tick >> 24;
    ST2 = tick >> 16 & 0xFFu;
    ST1 = tick >> 8 & 0xFFu;
    ST0 = tick & 0xFFu;
}

void tick_start(void)
{
    alarm_armed = false;
    set_compare(0);
    NVIC_ICPR(IRQ_SLEEP_TIMER) = NVIC_BIT(IRQ_SLEEP_TIMER);
    NVIC_ISER(IRQ_SLEEP_TIMER) = NVIC_BIT(IRQ_SLEEP_TIMER);
}

/* With interrupts disabled: a handler that reads the counter would change what ST0 has latched. */
uint16_t tick_now(void)
{
    uint32_t mask = cpu_irq_save();
    uint32_t now = ST0;
    now |= ST1 << 8;
    cpu_irq_restore(mask);
    return (uint16_t)now;
}

static uint32_t now_32(void)
{
    uint32_t now = ST0;
    now |= ST1 << 8;
    now |= ST2 << 16;
    now |= ST3 << 24;
    return now;
}

tick_rest tick_rest_until_alarm(bool deep)
{
    if (!alarm_armed) {
        return TICK_SLEEP;
    }
    uint32_t now = now_32();
    int16_t ahead = (int16_t)(alarm_tick - now);
    tick_rest rest = TICK_SLEEP;
    if (deep && ahead >= DEEP_TICKS) {
        ahead = (int16_t)(ahead - CLOCK_WAKE_TICKS);
        rest = TICK_DEEP;
    }
    uint32_t wake = now + (uint32_t)ahead;
    if (ahead > 0 && compare == wake) {
        return rest;
    }
    if (ahead < COMPARE_LEAD || (STLOAD & STLOAD_READY) == 0) {
        return TICK_AWAKE;
    }
    set_compare(wake);
    return rest;
}

void tick_power_down(void)
{
    clock_power_down();
}
