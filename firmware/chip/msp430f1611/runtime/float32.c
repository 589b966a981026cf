/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of 32 bits: what clang calls for `float`. */
#define FLOAT_BITS 32
#include "floats.h"

uint32_t __mspabi_addf(uint32_t a, uint32_t b)
{
    return add(a, b);
}

uint32_t __mspabi_subf(uint32_t a, uint32_t b)
{
    return add(a, b ^ SIGN);
}

uint32_t __mspabi_mpyf(uint32_t a, uint32_t b)
{
    return multiply(a, b);
}

uint32_t __mspabi_divf(uint32_t a, uint32_t b)
{
    return divide(a, b);
}

int16_t __mspabi_cmpf(uint32_t a, uint32_t b)
{
    return compare(a, b);
}

int16_t __unordsf2(uint32_t a, uint32_t b)
{
    return unordered(a, b);
}

int32_t __mspabi_fixfli(uint32_t a)
{
    return (int32_t)to_signed(a, INT32_MAX);
}

int64_t __mspabi_fixflli(uint32_t a)
{
    return to_signed(a, INT64_MAX);
}

uint32_t __mspabi_fixful(uint32_t a)
{
    return (uint32_t)to_unsigned(a, UINT32_MAX);
}

uint64_t __mspabi_fixfull(uint32_t a)
{
    return to_unsigned(a, UINT64_MAX);
}

uint32_t __mspabi_fltlif(int32_t a)
{
    return from_signed(a);
}

uint32_t __mspabi_fltllif(int64_t a)
{
    return from_signed(a);
}

uint32_t __mspabi_fltulf(uint32_t a)
{
    return from_unsigned(0, a);
}

uint32_t __mspabi_fltullf(uint64_t a)
{
    return from_unsigned(0, a);
}

/* Exponents of 64 bits are 896 greater, fractions have 29 bits more. */
uint32_t __mspabi_cvtdf(uint64_t a)
{
    uint32_t sign = (uint32_t)(a >> 32) & SIGN;
    a &= UINT64_C(0x7FFFFFFFFFFFFFFF);
    if (a >= UINT64_C(0x7FF0000000000000)) {
        uint32_t fraction = (uint32_t)(a >> 29) & (HIDDEN - 1);
        return sign | INFINITE | (a > UINT64_C(0x7FF0000000000000) ? fraction | QUIET : 0);
    }
    int16_t exponent = (int16_t)((int16_t)(a >> 52) - 896);
    if (exponent < -FRACTION - 3)
        return sign;
    uint64_t m = (a & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(0x10000000000000);
    return pack(sign, exponent, (uint32_t)(m >> 26) | ((m & 0x3FFFFFF) != 0));
}
