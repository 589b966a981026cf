/* SPDX-License-Identifier: BSD-3-Clause */
/** @file divisions.h What all widths of division share. A source that uses it defines
 *  `divide16`, `divide32` or `divide64`, which divides without sign. */
#ifndef RUNTIME_DIVISIONS_H
#define RUNTIME_DIVISIONS_H

#include "mspabi.h"

/** Quotient and remainder of numbers of so many bits. */
#define DIVISION_TYPE(bits)                                                                        \
    typedef struct division##bits {                                                                \
        uint##bits##_t quotient, remainder;                                                        \
    } division##bits

/** The four functions of one width: quotient and remainder without and with sign. A remainder has
 *  the sign of the dividend. */
#define DIVISIONS(bits, quotient_unsigned, remainder_unsigned, quotient_signed, remainder_signed)  \
    static uint##bits##_t magnitude##bits(int##bits##_t v)                                         \
    {                                                                                              \
        return v < 0 ? (uint##bits##_t) - (uint##bits##_t)v : (uint##bits##_t)v;                   \
    }                                                                                              \
                                                                                                   \
    uint##bits##_t quotient_unsigned(uint##bits##_t n, uint##bits##_t d)                           \
    {                                                                                              \
        return divide##bits(n, d).quotient;                                                        \
    }                                                                                              \
                                                                                                   \
    uint##bits##_t remainder_unsigned(uint##bits##_t n, uint##bits##_t d)                          \
    {                                                                                              \
        return divide##bits(n, d).remainder;                                                       \
    }                                                                                              \
                                                                                                   \
    int##bits##_t quotient_signed(int##bits##_t n, int##bits##_t d)                                \
    {                                                                                              \
        uint##bits##_t q = divide##bits(magnitude##bits(n), magnitude##bits(d)).quotient;          \
        return (int##bits##_t)((n ^ d) < 0 ? (uint##bits##_t) - q : q);                            \
    }                                                                                              \
                                                                                                   \
    int##bits##_t remainder_signed(int##bits##_t n, int##bits##_t d)                               \
    {                                                                                              \
        uint##bits##_t r = divide##bits(magnitude##bits(n), magnitude##bits(d)).remainder;         \
        return (int##bits##_t)(n < 0 ? (uint##bits##_t) - r : r);                                  \
    }

#endif
