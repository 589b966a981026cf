/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a reduction that subtracts as often as it must
// call: uint16_t while_reduce(const uint16_t key[1], uint16_t modulus)
// secret: key
// arg: modulus=65521
#include <stdint.h>

uint16_t while_reduce(const uint16_t key[1], uint16_t modulus)
{
    uint16_t value = key[0];
    while (value >= modulus) {
        value = (uint16_t)(value - modulus);
        __asm__ volatile("");
    }
    return value;
}
