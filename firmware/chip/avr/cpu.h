/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cpu.h
 *  What C cannot express on the AVR: interrupt enable, sleep, waiting, handlers of interrupts.
 *  pins.h of the board has CPU_HZ, the frequency of its crystal in hertz. */
#ifndef CHIP_AVR_CPU_H
#define CHIP_AVR_CPU_H

#include <stdint.h>
#include "registers.h"

/** Begins the definition of the handler of the interrupt of that vector. */
#define CPU_HANDLER(vector)                                                                        \
    void vector(void);                                                                             \
    __attribute__((signal, used)) void vector(void)

/** Waits for at least that many microseconds, a constant up to 500 000; handlers of interrupts come
 *  on top. */
#define CPU_WAIT_US(us) __builtin_avr_delay_cycles(((us) * (CPU_HZ / 100u) + 9999u) / 10000u)

static inline void cpu_irq_disable(void)
{
    __asm__ volatile("cli" : : : "memory");
}

static inline void cpu_irq_enable(void)
{
    __asm__ volatile("sei" : : : "memory");
}

/** Sleeps in `mode` until an interrupt. Interrupts are enabled in the instruction before: one that
 *  is pending wakes at once, so a test made with interrupts disabled stays true. */
static inline void cpu_sleep(uint8_t mode)
{
    MCUCR = SE | mode;
    __asm__ volatile("sei\n\tsleep" : : : "memory");
}

/** Sleeps until an interrupt, all clocks but the CPU's running. As cpu_sleep. */
static inline void cpu_doze(void)
{
    cpu_sleep(SLEEP_IDLE);
}

/** Everything off, for ever. */
static inline _Noreturn void cpu_stop(void)
{
    cpu_irq_disable();
    MCUCR = SE | SLEEP_POWER_DOWN;
    for (;;) {
        __asm__ volatile("sleep" : : : "memory");
    }
}

#endif
