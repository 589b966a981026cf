/* SPDX-License-Identifier: BSD-3-Clause */
/* What mspgcc's compiler makes of these names of intrinsics.h. */
#ifndef IDIOMS_TINYOS_BUILTINS_H
#define IDIOMS_TINYOS_BUILTINS_H

#include <msp430f1611.h>
#include <stdint.h>

#define __nop() __asm__ volatile("nop")
#define __dint() __asm__ volatile("dint\n nop" ::: "memory")
#define __eint() __asm__ volatile("eint" ::: "memory")
#define __bis_status_register(bits) __asm__ volatile("bis %0, r2" ::"ri"(bits) : "memory")

/* nesC's `atomic`: interrupts off, and back to what they were, with all of the status register. */
typedef __istate_t atomic_t;

static inline atomic_t atomic_begin(void)
{
    atomic_t before;
    __asm__ volatile("mov r2, %0\n dint\n nop" : "=r"(before)::"memory");
    return before;
}

static inline void atomic_end(atomic_t before)
{
    __asm__ volatile("nop\n mov %0, r2" ::"r"(before) : "memory", "cc");
}

#endif
