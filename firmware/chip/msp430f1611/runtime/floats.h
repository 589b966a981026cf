/* SPDX-License-Identifier: BSD-3-Clause */
/** @file floats.h IEEE 754 arithmetic of one width, in integers, rounded to nearest, ties to even. A
 *  source defines FLOAT_BITS as 32 or 64 and includes this file; each of them is one source of its
 *  own. */
#include "mspabi.h"

#if FLOAT_BITS == 32
typedef uint32_t rep;
#define FRACTION 23
#define GREATEST 0xFF /* exponent field of infinities and NaNs */
#else
typedef uint64_t rep;
#define FRACTION 52
#define GREATEST 0x7FF
#endif

#define BIAS (GREATEST >> 1)
#define SIGN ((rep)1 << (FLOAT_BITS - 1))
#define HIDDEN ((rep)1 << FRACTION)
#define INFINITE ((rep)GREATEST << FRACTION)
#define QUIET (HIDDEN >> 1)

/* A finite number that is not zero: significand · 2^(exponent - BIAS - FRACTION), its leading bit
 * at FRACTION. */
typedef struct number {
    rep significand;
    int16_t exponent;
} number;

static number unpack(rep a)
{
    number n = {a & (HIDDEN - 1), (int16_t)(a >> FRACTION & GREATEST)};
    if (n.exponent != 0) {
        n.significand |= HIDDEN;
        return n;
    }
    n.exponent = 1;
    while (!(n.significand & HIDDEN)) {
        n.significand <<= 1;
        n.exponent--;
    }
    return n;
}

/* Shifts to the right. The lowest bit stays set if bits that are lost were. */
static rep shift_sticky(rep m, uint16_t by)
{
    if (by == 0)
        return m;
    if (by >= FLOAT_BITS)
        return m != 0;
    return m >> by | ((rep)(m << (FLOAT_BITS - by)) != 0);
}

/* Rounds a significand with three more bits below, its leading bit at FRACTION + 3. */
static rep pack(rep sign, int16_t exponent, rep m)
{
    if (exponent >= GREATEST)
        return sign | INFINITE;
    if (exponent <= 0) {
        m = shift_sticky(m, (uint16_t)(1 - exponent));
        exponent = 0;
    }
    rep packed = (rep)exponent << FRACTION | (m >> 3 & (HIDDEN - 1));
    uint8_t low = m & 7;
    if (low > 4 || (low == 4 && (packed & 1)))
        packed++; /* may carry into the exponent, up to infinity */
    return sign | packed;
}

static rep magnitude(rep a)
{
    return a & (SIGN - 1);
}

static rep add(rep a, rep b)
{
    if (magnitude(a) < magnitude(b)) {
        rep other = a;
        a = b;
        b = other;
    }
    rep sign = a & SIGN;
    if (magnitude(a) > INFINITE)
        return a | QUIET;
    if (magnitude(a) == INFINITE)
        return magnitude(b) == INFINITE && a != b ? INFINITE | QUIET : a;
    if (magnitude(b) == 0)
        return magnitude(a) == 0 ? a & b : a;
    number x = unpack(a), y = unpack(b);
    rep m = x.significand << 3;
    rep other = shift_sticky(y.significand << 3, (uint16_t)(x.exponent - y.exponent));
    if (sign == (b & SIGN)) {
        m += other;
        if (m & HIDDEN << 4) {
            m = shift_sticky(m, 1);
            x.exponent++;
        }
        return pack(sign, x.exponent, m);
    }
    m -= other;
    if (m == 0)
        return 0;
    while (!(m & HIDDEN << 3)) {
        m <<= 1;
        x.exponent--;
    }
    return pack(sign, x.exponent, m);
}

/* The product of two significands, its leading bit at FRACTION + 3 or one higher. */
static rep product(rep a, rep b)
{
#if FLOAT_BITS == 32
    uint64_t p = (uint64_t)a * b;
    return (rep)(p >> (FRACTION - 3)) | ((p & ((UINT32_C(1) << (FRACTION - 3)) - 1)) != 0);
#else
    uint32_t a0 = (uint32_t)a, a1 = (uint32_t)(a >> 32), b0 = (uint32_t)b, b1 = (uint32_t)(b >> 32);
    uint64_t low = (uint64_t)a0 * b0, high = (uint64_t)a1 * b1;
    uint64_t middle = (uint64_t)a0 * b1 + (low >> 32); /* below 2^53 + 2^32, for b1 < 2^21 */
    middle += (uint64_t)a1 * b0;
    high += middle >> 32;
    low = middle << 32 | (uint32_t)low;
    return high << (67 - FRACTION) | low >> (FRACTION - 3) | ((low << (67 - FRACTION)) != 0);
#endif
}

static rep multiply(rep a, rep b)
{
    rep sign = (a ^ b) & SIGN;
    if (magnitude(a) > INFINITE)
        return a | QUIET;
    if (magnitude(b) > INFINITE)
        return b | QUIET;
    a = magnitude(a);
    b = magnitude(b);
    if (a == INFINITE || b == INFINITE)
        return a == 0 || b == 0 ? INFINITE | QUIET : sign | INFINITE;
    if (a == 0 || b == 0)
        return sign;
    number x = unpack(a), y = unpack(b);
    rep m = product(x.significand, y.significand);
    int16_t exponent = (int16_t)(x.exponent + y.exponent - BIAS);
    if (m & HIDDEN << 4) {
        m = shift_sticky(m, 1);
        exponent++;
    }
    return pack(sign, exponent, m);
}

static rep divide(rep a, rep b)
{
    rep sign = (a ^ b) & SIGN;
    if (magnitude(a) > INFINITE)
        return a | QUIET;
    if (magnitude(b) > INFINITE)
        return b | QUIET;
    a = magnitude(a);
    b = magnitude(b);
    if (a == INFINITE)
        return b == INFINITE ? INFINITE | QUIET : sign | INFINITE;
    if (b == INFINITE)
        return sign;
    if (b == 0)
        return a == 0 ? INFINITE | QUIET : sign | INFINITE;
    if (a == 0)
        return sign;
    number x = unpack(a), y = unpack(b);
    int16_t exponent = (int16_t)(x.exponent - y.exponent + BIAS);
    if (x.significand < y.significand) {
        x.significand <<= 1;
        exponent--;
    }
    rep quotient = 0;
    for (uint8_t step = FRACTION + 4; step != 0; step--) {
        quotient <<= 1;
        if (x.significand >= y.significand) {
            x.significand -= y.significand;
            quotient |= 1;
        }
        x.significand <<= 1;
    }
    return pack(sign, exponent, quotient | (x.significand != 0));
}

static int16_t unordered(rep a, rep b)
{
    return magnitude(a) > INFINITE || magnitude(b) > INFINITE;
}

/* -1, 0 or 1; 1 if one is no number, for the ABI knows no fourth answer. */
static int16_t compare(rep a, rep b)
{
    if (unordered(a, b))
        return 1;
    if ((magnitude(a) | magnitude(b)) == 0 || a == b)
        return 0;
    if ((a ^ b) & SIGN)
        return a & SIGN ? -1 : 1;
    return (a < b) == !(a & SIGN) ? -1 : 1;
}

/* The magnitude without its fraction; all ones if that has more than 64 bits. */
static uint64_t whole(rep a)
{
    a = magnitude(a);
    int16_t exponent = (int16_t)((int16_t)(a >> FRACTION) - BIAS);
    if (exponent < 0)
        return 0;
    if (exponent >= 64)
        return (uint64_t)-1;
    uint64_t m = (a & (HIDDEN - 1)) | HIDDEN;
    return exponent > FRACTION ? m << (exponent - FRACTION) : m >> (FRACTION - exponent);
}

static uint64_t to_unsigned(rep a, uint64_t most)
{
    uint64_t m = whole(a);
    return a & SIGN ? 0 : m > most ? most : m;
}

static int64_t to_signed(rep a, uint64_t most)
{
    uint64_t m = whole(a);
    if (a & SIGN)
        return (int64_t)(0 - (m > most ? most + 1 : m));
    return (int64_t)(m > most ? most : m);
}

static rep from_unsigned(rep sign, uint64_t m)
{
    int16_t exponent = BIAS + FRACTION + 3;
    if (m == 0)
        return 0;
    while (m >> (FRACTION + 4) != 0) {
        m = m >> 1 | (m & 1);
        exponent++;
    }
    while (m >> (FRACTION + 3) == 0) {
        m <<= 1;
        exponent--;
    }
    return pack(sign, exponent, (rep)m);
}

static rep from_signed(int64_t a)
{
    return a < 0 ? from_unsigned(SIGN, 0 - (uint64_t)a) : from_unsigned(0, (uint64_t)a);
}
