/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: the third callee branches on what it was given on the stack
// call: uint16_t recursive_callee(const uint16_t key[1])
// secret: key
#include <stdint.h>

volatile uint8_t hit;

static __attribute__((noinline)) uint16_t third(uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                                                uint32_t e, uint32_t f, uint16_t last)
{
    if (last == 0xBEEF)
        hit = 1;
    return (uint16_t)(a + b + c + d + e + f);
}

static __attribute__((noinline)) uint16_t second(uint16_t key)
{
    return third(1, 2, 3, 4, 5, 6, (uint16_t)(key ^ 0x1111));
}

uint16_t recursive_callee(const uint16_t key[1])
{
    return (uint16_t)(second(key[0]) + 1);
}
