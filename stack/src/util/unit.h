/* SPDX-License-Identifier: BSD-3-Clause */
/* Shift registers of bits, several steps at once. A register is an array of units, each as wide as
 * a register of the CPU; bit i of the array, counted from the least of the first unit, is the bit
 * that leaves the register after i steps. As long as no tap looks at one of the last 16 (32) bits,
 * 16 (32) steps are one operation on units. */
#ifndef WM_UTIL_UNIT_H
#define WM_UTIL_UNIT_H

#include <stdint.h>

#if UINTPTR_MAX <= 0xffff
typedef uint16_t wm_unit;
#define WM_UNIT_BITS 16
#define wm_units half /* the member of a union of halves and words */
#else
typedef uint32_t wm_unit;
#define WM_UNIT_BITS 32
#define wm_units word
#endif
#define WM_UNIT_OCTETS (WM_UNIT_BITS / 8)

/** One unit of bits from bit `at` on, a constant. */
static inline wm_unit wm_bits(const wm_unit *reg, unsigned at)
{
    unsigned by = at % WM_UNIT_BITS;
    reg += at / WM_UNIT_BITS;
    if (by == 0) {
        return reg[0];
    }
    return (wm_unit)(reg[0] >> by | reg[1] << (WM_UNIT_BITS - by));
}

/** The unit whose octets, least first, are at `p`. */
static inline wm_unit wm_unit_load(const uint8_t *p)
{
    wm_unit u = 0;
    for (unsigned i = 0; i < WM_UNIT_BITS; i += 8) {
        u = (wm_unit)(u | (wm_unit)((wm_unit)*p++ << i));
    }
    return u;
}

/** Moves a register of `units` units on by one unit, `in` being the newest. */
static inline void wm_unit_push(wm_unit *reg, uint8_t units, wm_unit in)
{
    for (uint8_t i = 1; i < units; i++) {
        reg[i - 1] = reg[i];
    }
    reg[units - 1] = in;
}

#endif
