/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints to the compiler; every one may be empty without changing a result. */
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

/* `x`, of which the compiler knows nothing from here on. Of a mask or a product of a bit clang
 * makes a branch on the MSP430 where it sees that it is one bit. */
static inline uint8_t wm_opaque(uint8_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

#endif
