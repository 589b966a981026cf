/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of 64 bits: what clang calls for `double`, and what mspabi64.S calls for it. */
#define FLOAT_BITS 64
#include "floats.h"

uint64_t runtime_add_f64(uint64_t a, uint64_t b)
{
    return add(a, b);
}

uint64_t runtime_subtract_f64(uint64_t a, uint64_t b)
{
    return add(a, b ^ SIGN);
}

uint64_t runtime_multiply_f64(uint64_t a, uint64_t b)
{
    return multiply(a, b);
}

uint64_t runtime_divide_f64(uint64_t a, uint64_t b)
{
    return divide(a, b);
}

int16_t runtime_compare_f64(uint64_t a, uint64_t b)
{
    return compare(a, b);
}

int16_t __unorddf2(uint64_t a, uint64_t b)
{
    return unordered(a, b);
}

int32_t __mspabi_fixdli(uint64_t a)
{
    return (int32_t)to_signed(a, INT32_MAX);
}

int64_t __mspabi_fixdlli(uint64_t a)
{
    return to_signed(a, INT64_MAX);
}

uint32_t __mspabi_fixdul(uint64_t a)
{
    return (uint32_t)to_unsigned(a, UINT32_MAX);
}

uint64_t __mspabi_fixdull(uint64_t a)
{
    return to_unsigned(a, UINT64_MAX);
}

uint64_t __mspabi_fltlid(int32_t a)
{
    return from_signed(a);
}

uint64_t __mspabi_fltllid(int64_t a)
{
    return from_signed(a);
}

uint64_t __mspabi_fltuld(uint32_t a)
{
    return from_unsigned(0, a);
}

uint64_t __mspabi_fltulld(uint64_t a)
{
    return from_unsigned(0, a);
}

/* Every number of 32 bits is one of 64 bits; exponents are 896 greater. */
uint64_t __mspabi_cvtfd(uint32_t a)
{
    uint64_t sign = (uint64_t)(a & 0x80000000) << 32;
    uint64_t m = (uint64_t)(a & 0x7FFFFF) << 29;
    int16_t exponent = (int16_t)(a >> 23 & 0xFF);
    if (exponent == 0xFF)
        return sign | INFINITE | m | (m != 0 ? QUIET : 0);
    if (exponent == 0) {
        if (m == 0)
            return sign;
        exponent = 1;
        while (!(m & HIDDEN)) {
            m <<= 1;
            exponent--;
        }
        m &= HIDDEN - 1;
    }
    return sign | (uint64_t)(exponent + 896) << FRACTION | m;
}
