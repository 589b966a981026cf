/* SPDX-License-Identifier: BSD-3-Clause */
/* Ticks of 1/250000 s: the MAC timer, which counts the 32 MHz crystal, overflows every 4 us, and its
 * overflow counter is the tick. An alarm is a compare value of that counter, to the tick.
 *
 * The crystal stops in power mode 2. The MAC timer is stopped at an edge of the 32 kHz clock before,
 * and started at one behind it: then it goes on as if it had counted (SWRU319, MAC timer,
 * synchronous start and stop). The sleep timer ends the power mode.
 *
 * The system clock has to be 32 MHz: with 16 MHz the same timer of the CC253x goes on with an offset
 * (SWRU191, timer start/stop synchronization). */
#include "alarm.h"
#include "clock.h"
#include "cpu.h"
#include "registers.h"

#define TICK_CYCLES 128u

/* Nearer alarms are not worth the crystal's start. */
#define DEEP_TICKS 625 /* 2.5 ms */

/* Of 32 768 Hz: an edge to stop the MAC timer at, and one to start it at. */
#define EDGES 2

/* Ticks of the sleep timer in one of these are 8589.9 / 65536. */
#define SLOW_65536THS 8589u

void isr_sleep_timer(void);
void isr_mac_timer(void);

/* It only has to wake the CPU, as the next one does. */
void isr_sleep_timer(void)
{
}

void isr_mac_timer(void)
{
    MTIRQF = 0;
}

void tick_start(void)
{
    alarm_armed = false;
    RCGCRFC = CGC_RF;
    SCGCRFC = CGC_RF;
    while (RCGCRFC != CGC_RF) { /* the timer's registers come with the radio's clock */
    }
    MTMSEL = MTMSEL_PERIOD;
    MTM0 = TICK_CYCLES;
    MTM1 = 0;
    MTMSEL = 0;
    MTIRQF = 0;
    MTIRQM = MT_OVERFLOW_COMPARE1;
    MTCTRL = MTCTRL_RUN;
    NVIC_ICPR(IRQ_SLEEP_TIMER) = NVIC_BIT(IRQ_SLEEP_TIMER);
    NVIC_ISER(IRQ_SLEEP_TIMER) = NVIC_BIT(IRQ_SLEEP_TIMER);
    NVIC_ICPR(IRQ_MAC_TIMER) = NVIC_BIT(IRQ_MAC_TIMER);
    NVIC_ISER(IRQ_MAC_TIMER) = NVIC_BIT(IRQ_MAC_TIMER);
}

/* With interrupts disabled: a handler that reads the counter would change what MTMOVF0 has latched. */
uint16_t tick_now(void)
{
    uint32_t mask = cpu_irq_save();
    uint32_t now = MTMOVF0;
    now |= MTMOVF1 << 8;
    cpu_irq_restore(mask);
    return (uint16_t)now;
}

/* The alarm as all 24 bits of the counter. */
static void set_compare(void)
{
    uint32_t now = MTMOVF0;
    now |= MTMOVF1 << 8;
    now |= MTMOVF2 << 16;
    uint32_t at = now + (uint16_t)(alarm_tick - now);
    MTMSEL = MTMSEL_OVERFLOW_COMPARE1;
    MTMOVF0 = at & 0xFFu;
    MTMOVF1 = at >> 8 & 0xFFu;
    MTMOVF2 = at >> 16 & 0xFFu;
    MTMSEL = 0;
}

/* For the end of a power mode, `ahead` ticks from now or a little earlier. */
static void set_slow_compare(uint32_t ahead)
{
    uint32_t at = ST0;
    at |= ST1 << 8;
    at |= ST2 << 16;
    at |= ST3 << 24;
    at += (ahead * SLOW_65536THS >> 16) - CLOCK_WAKE_TICKS - EDGES;
    ST3 = at >> 24;
    ST2 = at >> 16 & 0xFFu;
    ST1 = at >> 8 & 0xFFu;
    ST0 = at & 0xFFu;
}

tick_rest tick_rest_until_alarm(bool deep)
{
    if (!alarm_armed) {
        return TICK_SLEEP;
    }
    int16_t ahead = (int16_t)(alarm_tick - tick_now());
    if (deep && ahead >= DEEP_TICKS && (STLOAD & STLOAD_READY) != 0) {
        set_slow_compare((uint32_t)ahead);
        return TICK_DEEP;
    }
    set_compare();
    return (int16_t)(alarm_tick - tick_now()) > 0 ? TICK_SLEEP : TICK_AWAKE;
}

static void run(uint32_t control, uint32_t state)
{
    MTCTRL = control;
    while ((MTCTRL & MTCTRL_STATE) != state) {
    }
}

void tick_power_down(void)
{
    run(MTCTRL_SYNC, 0);
    clock_power_down();
    run(MTCTRL_SYNC | MTCTRL_RUN, MTCTRL_STATE);
}
