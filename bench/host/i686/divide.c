/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of 64 bits, which a compiler for 32-bit x86 calls by itself. */
#include <stddef.h>
#include <stdint.h>

uint64_t __udivmoddi4(uint64_t a, uint64_t b, uint64_t *rest);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);
int64_t __divdi3(int64_t a, int64_t b);
int64_t __moddi3(int64_t a, int64_t b);

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
