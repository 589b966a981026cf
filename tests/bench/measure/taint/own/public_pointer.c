/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a table of functions is asked with a public index
// call: uint8_t public_pointer(const uint8_t key[2], uint8_t which)
// secret: key
// arg: which=1
#include <stdint.h>

static uint8_t add(uint8_t a, uint8_t b)
{
    return (uint8_t)(a + b);
}

static uint8_t mix(uint8_t a, uint8_t b)
{
    return (uint8_t)(a ^ b);
}

static uint8_t (*const table[2])(uint8_t, uint8_t) = {add, mix};

uint8_t public_pointer(const uint8_t key[2], uint8_t which)
{
    return table[which & 1](key[0], key[1]);
}
