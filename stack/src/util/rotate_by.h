/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotation of words by secret amounts in equal time. With a barrel shifter that is one instruction.
 * Without, the steps of 16, 8, 4, 2 and 1 bits are all done, and a mask decides whether each
 * counts; the AVR, which multiplies in two cycles, turns the last three steps into four products
 * with a power of two. */
#ifndef WM_UTIL_ROTATE_BY_H
#define WM_UTIL_ROTATE_BY_H

#include <stdint.h>

#if defined(__AVR__)
/* All ones in register m where bit `bit` of n is set, else zero. */
#define WM_MASK(bit) "bst %[n]," #bit "\n\tclr %[m]\n\tbld %[m],0\n\tneg %[m]\n\t"
/* Exchanges octets a and b where the mask is set. */
#define WM_EXCHANGE(a, b)                                                                          \
    "mov %[t]," a "\n\teor %[t]," b "\n\tand %[t],%[m]\n\teor " a ",%[t]\n\teor " b ",%[t]\n\t"

/** x rotated left by n modulo 32 bits. In the compiler's own words a block of RC5 takes twice as
 *  long. */
static inline uint32_t wm_rol32_by(uint32_t x, uint8_t n)
{
    uint8_t t, m, p;
    __asm__(
        WM_MASK(4) WM_EXCHANGE("%A0", "%C0") WM_EXCHANGE("%B0", "%D0") /* sixteen */
        /* eight */
        WM_MASK(3) WM_EXCHANGE("%C0", "%D0") WM_EXCHANGE("%B0", "%C0") WM_EXCHANGE(
            "%A0", "%B0") "mov %[p],%[n]\n\tandi %[p],1\n\tinc %[p]\n\t" /* p = 2^(n mod 2) */
        /* times 4 */
        WM_MASK(
            1) "mov %[t],%[p]\n\tlsl %[t]\n\tadd %[t],%[p]\n\tand %[t],%[m]\n\tadd %[p],%[t]\n\t"
        /* 16 */
        WM_MASK(
            2) "mov %[t],%[p]\n\tswap %[t]\n\teor %[t],%[p]\n\tand %[t],%[m]\n\teor %[p],%[t]\n\t"
               /* each product's upper octet goes one octet up */
               "mul %D0,%[p]\n\tmov %[t],r1\n\tmov %D0,r0\n\t"
               "mul %C0,%[p]\n\tor %D0,r1\n\tmov %C0,r0\n\t"
               "mul %B0,%[p]\n\tor %C0,r1\n\tmov %B0,r0\n\t"
               "mul %A0,%[p]\n\tor %B0,r1\n\tmov %A0,r0\n\tor %A0,%[t]\n\tclr r1"
        : "+&r"(x), [t] "=&r"(t), [m] "=&r"(m), [p] "=&d"(p)
        : [n] "r"(n)
        : "r0");
    return x;
}
#elif UINTPTR_MAX <= 0xffff
/* Zero where bit `bit` of n is set, else all ones; and both halves rotated left by one bit as one
 * word. The compiler for the MSP430 would make branches of masks and chains of shifts of carries;
 * the CPU does either in two or three words. */
#if defined(__MSP430__)
#define WM_UNLESS(mask, n, bit)                                                                    \
    __asm__("bit %2, %1\n\tsubc %0, %0" : "=r"(mask) : "r"(n), "i"(1 << (bit)))
#define WM_ROL1(low, high) __asm__("rla %0\n\trlc %1\n\tadc %0" : "+r"(low), "+r"(high))
#else
#define WM_UNLESS(mask, n, bit) ((mask) = (uint16_t)(((n) >> (bit) & 1) - 1))
#define WM_ROL1(low, high)                                                                         \
    do {                                                                                           \
        uint16_t carry = (uint16_t)((high) >> 15);                                                 \
        (high) = (uint16_t)((unsigned)(high) << 1 | (low) >> 15);                                  \
        (low) = (uint16_t)((unsigned)(low) << 1 | carry);                                          \
    } while (0)
#endif

/** x rotated left by n modulo 32 bits. */
static inline uint32_t wm_rol32_by(uint32_t x, uint8_t n)
{
    uint16_t low = (uint16_t)x, high = (uint16_t)(x >> 16);
    uint16_t bits = n, unless;
    WM_UNLESS(unless, bits, 4);
    uint16_t t = (uint16_t)((low ^ high) & ~unless);
    low ^= t;
    high ^= t;
    /* Eight: each half becomes its own lower octet, above the upper octet of the other. */
    uint16_t by_low = (uint16_t)((unsigned)low << 8 | low >> 8);
    uint16_t by_high = (uint16_t)((unsigned)high << 8 | high >> 8);
    t = (uint16_t)((by_low ^ by_high) & 0xff);
    by_low ^= t;
    by_high ^= t;
#define WM_TAKE(bit)                                                                               \
    do {                                                                                           \
        WM_UNLESS(unless, bits, bit);                                                              \
        low ^= (uint16_t)((low ^ by_low) & ~unless);                                               \
        high ^= (uint16_t)((high ^ by_high) & ~unless);                                            \
        by_low = low;                                                                              \
        by_high = high;                                                                            \
    } while (0)
    WM_TAKE(3);
    WM_ROL1(by_low, by_high);
    WM_ROL1(by_low, by_high);
    WM_ROL1(by_low, by_high);
    WM_ROL1(by_low, by_high);
    WM_TAKE(2);
    WM_ROL1(by_low, by_high);
    WM_ROL1(by_low, by_high);
    WM_TAKE(1);
    WM_ROL1(by_low, by_high);
    WM_TAKE(0);
#undef WM_TAKE
    return (uint32_t)high << 16 | low;
}
#else
/** x rotated left by n modulo 32 bits. */
static inline uint32_t wm_rol32_by(uint32_t x, uint8_t n)
{
    return x << (n & 31) | x >> (-n & 31);
}
#endif

#endif
