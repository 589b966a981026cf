/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cpu.h
 *  Operations that C cannot express on the Cortex-M3: interrupt mask and sleep. */
#ifndef CHIP_CC2538_CPU_H
#define CHIP_CC2538_CPU_H

#include <stdint.h>

/** Disables interrupts and returns the mask for cpu_irq_restore. */
static inline uint32_t cpu_irq_save(void)
{
    uint32_t mask;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(mask) : : "memory");
    return mask;
}

/** Back to what cpu_irq_save found. */
static inline void cpu_irq_restore(uint32_t mask)
{
    __asm__ volatile("msr primask, %0" : : "r"(mask) : "memory");
}

static inline void cpu_irq_disable(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
}

static inline void cpu_irq_enable(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}

/** Sleeps until an interrupt is pending, also while interrupts are disabled: a test made with
 *  interrupts disabled stays true until the CPU sleeps. */
static inline void cpu_wait(void)
{
    __asm__ volatile("wfi" : : : "memory");
}

/** Sleeps for ever. */
static inline _Noreturn void cpu_stop(void)
{
    cpu_irq_disable();
    for (;;) {
        cpu_wait();
    }
}

/** Tells the compiler that something it does not know may have read or written memory: DMA, an
 *  interrupt handler. */
static inline void cpu_memory_changes(void)
{
    __asm__ volatile("" : : : "memory");
}

/** An interrupt without a handler ends here, and so does a defect of the chip. */
_Noreturn void chip_stray_interrupt(void);

#endif
