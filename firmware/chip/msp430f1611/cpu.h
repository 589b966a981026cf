/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cpu.h
 *  What C cannot express on the MSP430: interrupt enable and low-power modes. */
#ifndef CHIP_MSP430F1611_CPU_H
#define CHIP_MSP430F1611_CPU_H

#include <stdint.h>
#include "registers.h"

/** Disables interrupts and returns the status register for cpu_irq_restore. */
static inline uint16_t cpu_irq_save(void)
{
    uint16_t sr;
    __asm__ volatile("mov r2, %0\n\tdint\n\tnop" : "=r"(sr) : : "memory");
    return sr;
}

/** Back to what cpu_irq_save found. */
static inline void cpu_irq_restore(uint16_t sr)
{
    __asm__ volatile("mov %0, r2" : : "r"(sr) : "memory");
}

static inline void cpu_irq_disable(void)
{
    __asm__ volatile("dint\n\tnop" : : : "memory");
}

static inline void cpu_irq_enable(void)
{
    __asm__ volatile("eint" : : : "memory");
}

/** Sets `bits` of the status register in one instruction. With SR_GIE and a low-power mode: sleep
 *  until an interrupt that wakes; one that is already pending is taken at once, so a test made with
 *  interrupts disabled stays true. */
static inline void cpu_sr_set(uint16_t bits)
{
    __asm__ volatile("bis %0, r2\n\tnop" : : "ri"(bits) : "memory");
}

/** Sleeps until an interrupt whose handler wakes, all clocks but the CPU's running. One that is
 *  pending is taken at once. Returns with interrupts enabled. */
static inline void cpu_doze(void)
{
    cpu_sr_set(SR_LPM0 | SR_GIE);
}

/** Everything off, for ever. */
static inline _Noreturn void cpu_stop(void)
{
    cpu_irq_disable();
    for (;;) {
        cpu_sr_set(SR_LPM4);
    }
}

#endif
