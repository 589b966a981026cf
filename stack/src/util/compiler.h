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

/* Returns `x`, but the compiler knows nothing about its value from here on. On the MSP430, clang
 * turns a mask or a product of a bit into a branch if it sees that it is one bit. */
static inline uint8_t wm_opaque(uint8_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

#endif
