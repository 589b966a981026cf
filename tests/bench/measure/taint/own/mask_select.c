/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a mask selects, made from one bit
// call: uint16_t mask_select(const uint8_t key[1], uint16_t a, uint16_t b)
// secret: key
// arg: a=4660
// arg: b=43981
#include <stdint.h>

uint16_t mask_select(const uint8_t key[1], uint16_t a, uint16_t b)
{
    volatile uint16_t mask = (uint16_t)(0u - (key[0] & 1u));
    return (uint16_t)(b ^ ((a ^ b) & mask));
}
