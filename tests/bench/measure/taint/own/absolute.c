/* SPDX-License-Identifier: BSD-3-Clause */
// clean: an absolute value by the mask of its sign
// call: uint16_t absolute(const int16_t key[1])
// secret: key
#include <stdint.h>

uint16_t absolute(const int16_t key[1])
{
    uint16_t value = (uint16_t)key[0];
    volatile uint16_t mask = (uint16_t)(0u - (value >> 15));
    return (uint16_t)((value ^ mask) - mask);
}
