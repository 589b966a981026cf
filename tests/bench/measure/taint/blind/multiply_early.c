/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a multiplication in software skips the upper half of a factor where it is zero
// call: uint32_t multiply_early(uint32_t factor, const uint32_t key[1], uint32_t blind)
// secret: key
// arg: factor=2654435769
// arg: blind=3735928559
#include <stdint.h>

uint32_t multiply_early(uint32_t factor, const uint32_t key[1], uint32_t blind)
{
    uint32_t multiplier = key[0] ^ blind;
    uint32_t product = 0;
    for (uint8_t half = 0; half < 2 && multiplier != 0; half++) {
        for (uint8_t bit = 0; bit < 16; bit++) {
            volatile uint16_t mask = (uint16_t)(0u - (uint16_t)(multiplier & 1));
            product += factor & ((uint32_t)mask << 16 | mask);
            multiplier >>= 1;
            factor <<= 1;
        }
    }
    return product;
}
