/* SPDX-License-Identifier: BSD-3-Clause */
/* What a compiler for 32-bit x86 calls by itself: copies, and division of 64 bits. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t octets);
void *memmove(void *to, const void *from, size_t octets);
void *memset(void *to, int value, size_t octets);
int memcmp(const void *one, const void *other, size_t octets);
uint64_t __udivmoddi4(uint64_t a, uint64_t b, uint64_t *rest);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);
int64_t __divdi3(int64_t a, int64_t b);
int64_t __moddi3(int64_t a, int64_t b);

void *memcpy(void *restrict to, const void *restrict from, size_t octets)
{
    uint8_t *t = to;
    for (const uint8_t *f = from; octets; octets--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t octets)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((uintptr_t)t <= (uintptr_t)f)
        return memcpy(to, from, octets);
    while (octets--)
        t[octets] = f[octets];
    return to;
}

void *memset(void *to, int value, size_t octets)
{
    for (uint8_t *t = to; octets; octets--)
        *t++ = (uint8_t)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t octets)
{
    const uint8_t *a = one, *b = other;
    for (; octets; octets--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

/* Bit by bit, from the top. Division by zero is the caller's fault, as in C. */
uint64_t __udivmoddi4(uint64_t a, uint64_t b, uint64_t *rest)
{
    uint64_t quotient = 0, r = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t over = r >> 63;
        r = r << 1 | (a >> bit & 1);
        if (over || r >= b) {
            r -= b;
            quotient |= (uint64_t)1 << bit;
        }
    }
    if (rest)
        *rest = r;
    return quotient;
}

uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    return __udivmoddi4(a, b, NULL);
}

uint64_t __umoddi3(uint64_t a, uint64_t b)
{
    uint64_t rest;
    (void)__udivmoddi4(a, b, &rest);
    return rest;
}

static uint64_t magnitude(int64_t a)
{
    return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

int64_t __divdi3(int64_t a, int64_t b)
{
    uint64_t quotient = __udivdi3(magnitude(a), magnitude(b));
    return (int64_t)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}

int64_t __moddi3(int64_t a, int64_t b)
{
    uint64_t rest = __umoddi3(magnitude(a), magnitude(b));
    return (int64_t)(a < 0 ? 0 - rest : rest);
}
