/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints to the compiler. Each may be empty without changing a result. */
#ifndef WM_UTIL_COMPILER_H
#define WM_UTIL_COMPILER_H

#include <stdint.h>

#if defined(__GNUC__)
#define WM_NOINLINE __attribute__((noinline))
#define WM_ALWAYS_INLINE __attribute__((always_inline))
#else
#define WM_NOINLINE
#define WM_ALWAYS_INLINE
#endif

/* The compiler knows nothing about the value of the variable `x`, an octet, from here on. It can neither leave
 * a loop early because the rest would change nothing, nor turn a mask into a branch. */
#if defined(__GNUC__)
#define WM_OPAQUE(x) __asm__("" : "+r"(x))
#else
#define WM_OPAQUE(x)                                                                               \
    do {                                                                                           \
        volatile uint8_t unknown_ = (uint8_t)(x);                                                  \
        (x) = unknown_;                                                                            \
    } while (0)
#endif

/* The compiler counts with `x` step by step. From the number of steps it would else work out before a
 * loop, or behind it, what short loops have no time for. */
#if defined(__GNUC__)
#define WM_STEP_BY_STEP(x) __asm__("" : "+r"(x))
#else
#define WM_STEP_BY_STEP(x) ((void)(x))
#endif

/* Address `p` goes on step by step, as loads do without a further cycle. The compiler would else go
 * on by an offset: and back again on the AVR, with a word and a cycle more on the MSP430. */
#if defined(__AVR__)
#define WM_IN_TURN_AVR(p) WM_STEP_BY_STEP(p)
#else
#define WM_IN_TURN_AVR(p) ((void)(p))
#endif
#if defined(__MSP430__)
#define WM_IN_TURN_MSP430(p) WM_STEP_BY_STEP(p)
#else
#define WM_IN_TURN_MSP430(p) ((void)(p))
#endif

/* What memory holds is read again from here on. */
#if defined(__GNUC__)
#define WM_FORGET_MEMORY() __asm__ volatile("" : : : "memory")
#else
#define WM_FORGET_MEMORY() ((void)0)
#endif

/* Returns `x` and hides its value from the compiler. On the MSP430, clang turns a mask or a product
 * of a bit into a branch if it sees that it is one bit. */
static inline uint8_t wm_opaque(uint8_t x)
{
    WM_OPAQUE(x);
    return x;
}

#endif
