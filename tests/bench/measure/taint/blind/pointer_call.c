/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a secret chooses the function by masks: no branch but the call itself goes two ways
// call: uint8_t pointer_call(const uint8_t key[2], uint8_t value)
// secret: key
// arg: value=77
#include <stdint.h>

static __attribute__((noinline)) uint8_t add_one(uint8_t value)
{
    return (uint8_t)(value + 1);
}

static __attribute__((noinline)) uint8_t rotate(uint8_t value)
{
    return (uint8_t)(value << 1 | value >> 7);
}

uint8_t pointer_call(const uint8_t key[2], uint8_t value)
{
    uint8_t rare = (uint8_t)((key[0] ^ 0xC3) | (key[1] ^ 0x96));
    uint16_t borrow = (uint16_t)(rare - 1u);
    volatile uintptr_t mask = (uintptr_t)0 - (uintptr_t)(borrow >> 15);
    uintptr_t usual = (uintptr_t)rotate, other = (uintptr_t)add_one;
    uint8_t (*chosen)(uint8_t) = (uint8_t (*)(uint8_t))(usual ^ ((usual ^ other) & mask));
    return chosen(value);
}
