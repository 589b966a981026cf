/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotation of words by constants, with the carry of a CPU that has no barrel shifter. Such a CPU
 * shifts by one bit at a time. From an expression in C its compiler makes a loop, many shifts for
 * one bit, or a jump that depends on the bit. So a rotation there goes by whole octets, then bit by
 * bit in the shorter direction. Single bits are in assembly, because C has no carry. The steps
 * depend only on the constant. */
#ifndef WM_UTIL_ROTATE_H
#define WM_UTIL_ROTATE_H

#include <stdint.h>

/* The octets of n = 8 octets + bits, with bits -3..4, and what the remaining bits are. */
#define WM_OCTETS(n) (((n) + 3) >> 3)
#define WM_BITS(n) ((n) - 8 * WM_OCTETS(n))

/* `step` as often as the bits of n, of a known sign, say. */
#define WM_REPEAT(n, sign, step)                                                                   \
    do {                                                                                           \
        if (sign WM_BITS(n) >= 1) {                                                                \
            step;                                                                                  \
        }                                                                                          \
        if (sign WM_BITS(n) >= 2) {                                                                \
            step;                                                                                  \
        }                                                                                          \
        if (sign WM_BITS(n) >= 3) {                                                                \
            step;                                                                                  \
        }                                                                                          \
        if (sign WM_BITS(n) >= 4) {                                                                \
            step;                                                                                  \
        }                                                                                          \
    } while (0)

#if defined(__GNUC__) && defined(__AVR__)
#define WM_ROL8_1(x) __asm__("lsl %0\n\tadc %0,r1" : "+r"(x))
#define WM_ROL16_1(x) __asm__("lsl %A0\n\trol %B0\n\tadc %A0,r1" : "+r"(x))
#define WM_ROL32_1(x) __asm__("lsl %A0\n\trol %B0\n\trol %C0\n\trol %D0\n\tadc %A0,r1" : "+r"(x))
#define WM_ROR32_1(x)                                                                              \
    __asm__("bst %A0,0\n\tror %D0\n\tror %C0\n\tror %B0\n\tror %A0\n\tbld %D0,7" : "+r"(x))
#define WM_ROL64_1(low, high)                                                                      \
    __asm__("lsl %A0\n\trol %B0\n\trol %C0\n\trol %D0\n\trol %A1\n\trol %B1\n\trol %C1\n\trol "    \
            "%D1\n\tadc %A0,r1"                                                                    \
            : "+r"(low), "+r"(high))
#define WM_ROR64_1(low, high)                                                                      \
    __asm__("bst %A0,0\n\tror %D1\n\tror %C1\n\tror %B1\n\tror %A1\n\tror %D0\n\tror %C0\n\tror "  \
            "%B0\n\tror %A0\n\t"                                                                   \
            "bld %D1,7"                                                                            \
            : "+r"(low), "+r"(high))

/* The low word of a pair shifted right by `octets` = 0..3. */
static inline __attribute__((always_inline)) uint32_t wm_shifted(uint32_t low, uint32_t high,
                                                                 uint8_t octets)
{
    return octets == 0 ? low : low >> 8 * octets | high << (32 - 8 * octets);
}

/** x rotated right by n = 1..31 bits, a constant. */
static inline __attribute__((always_inline)) uint32_t wm_ror32(uint32_t x, uint8_t n)
{
    x = wm_shifted(x, x, WM_OCTETS(n) & 3);
    WM_REPEAT(n, +, WM_ROR32_1(x));
    WM_REPEAT(n, -, WM_ROL32_1(x));
    return x;
}

/** A number of 64 bits, low half first, rotated right by n = 1..63 bits, a constant. */
static inline __attribute__((always_inline)) void wm_ror64(uint32_t x[2], uint8_t n)
{
    uint8_t swap = WM_OCTETS(n) >> 2 & 1;
    uint32_t low = wm_shifted(x[swap], x[swap ^ 1], WM_OCTETS(n) & 3);
    uint32_t high = wm_shifted(x[swap ^ 1], x[swap], WM_OCTETS(n) & 3);
    WM_REPEAT(n, +, WM_ROR64_1(low, high));
    WM_REPEAT(n, -, WM_ROL64_1(low, high));
    x[0] = low;
    x[1] = high;
}
#elif defined(__GNUC__) && defined(__MSP430__)
#define WM_ROL8_1(x) __asm__("rla.b %0\n\tadc.b %0" : "+r"(x) : : "cc")
#define WM_ROL16_1(x) __asm__("rla %0\n\tadc %0" : "+r"(x) : : "cc")
#define WM_ROL32_1(low, high) __asm__("rla %0\n\trlc %1\n\tadc %0" : "+r"(low), "+r"(high) : : "cc")
#define WM_ROR32_1(low, high)                                                                      \
    __asm__("bit #1,%0\n\trrc %1\n\trrc %0" : "+r"(low), "+r"(high) : : "cc")
#define WM_ROL64_1(a, b, c, d)                                                                     \
    __asm__("rla %0\n\trlc %1\n\trlc %2\n\trlc %3\n\tadc %0"                                       \
            : "+r"(a), "+r"(b), "+r"(c), "+r"(d)                                                   \
            :                                                                                      \
            : "cc")
#define WM_ROR64_1(a, b, c, d)                                                                     \
    __asm__("bit #1,%0\n\trrc %3\n\trrc %2\n\trrc %1\n\trrc %0"                                    \
            : "+r"(a), "+r"(b), "+r"(c), "+r"(d)                                                   \
            :                                                                                      \
            : "cc")

/* Octets of a pair of 16-bit halves, one to the right. */
#define WM_SHIFTED(low, high) ((uint16_t)((low) >> 8 | (high) << 8))

/** x rotated right by n = 1..31 bits, a constant. */
static inline __attribute__((always_inline)) uint32_t wm_ror32(uint32_t x, uint8_t n)
{
    uint16_t half[2] = {(uint16_t)x, (uint16_t)(x >> 16)};
    uint16_t low = half[WM_OCTETS(n) >> 1 & 1], high = half[(WM_OCTETS(n) >> 1 & 1) ^ 1];
    if ((WM_OCTETS(n) & 1) != 0) {
        uint16_t shifted = WM_SHIFTED(low, high);
        high = WM_SHIFTED(high, low);
        low = shifted;
    }
    WM_REPEAT(n, +, WM_ROR32_1(low, high));
    WM_REPEAT(n, -, WM_ROL32_1(low, high));
    return low | (uint32_t)high << 16;
}

/** A number of 64 bits, low half first, rotated right by n = 1..63 bits, a constant. */
static inline __attribute__((always_inline)) void wm_ror64(uint32_t x[2], uint8_t n)
{
    uint16_t half[4] = {(uint16_t)x[0], (uint16_t)(x[0] >> 16), (uint16_t)x[1],
                        (uint16_t)(x[1] >> 16)};
    uint8_t first = WM_OCTETS(n) >> 1 & 3;
    uint16_t a = half[first], b = half[(first + 1) & 3], c = half[(first + 2) & 3],
             d = half[(first + 3) & 3];
    if ((WM_OCTETS(n) & 1) != 0) {
        uint16_t shifted = WM_SHIFTED(a, b);
        b = WM_SHIFTED(b, c);
        c = WM_SHIFTED(c, d);
        d = WM_SHIFTED(d, a);
        a = shifted;
    }
    WM_REPEAT(n, +, WM_ROR64_1(a, b, c, d));
    WM_REPEAT(n, -, WM_ROL64_1(a, b, c, d));
    x[0] = a | (uint32_t)b << 16;
    x[1] = c | (uint32_t)d << 16;
}
#else
#define WM_ROL8_1(x) ((x) = (uint8_t)((x) << 1 | (x) >> 7))
#define WM_ROL16_1(x) ((x) = (uint16_t)((x) << 1 | (x) >> 15))

/** x rotated right by n = 1..31 bits, a constant. */
static inline uint32_t wm_ror32(uint32_t x, uint8_t n)
{
    return x >> n | x << (32 - n);
}

/** A number of 64 bits, low half first, rotated right by n = 1..63 bits, a constant. */
static inline void wm_ror64(uint32_t x[2], uint8_t n)
{
    uint32_t low = n < 32 ? x[0] : x[1], high = n < 32 ? x[1] : x[0];
    uint8_t bits = n & 31;
    x[0] = bits == 0 ? low : low >> bits | high << (32 - bits);
    x[1] = bits == 0 ? high : high >> bits | low << (32 - bits);
}
#endif

#endif
