/* SPDX-License-Identifier: BSD-3-Clause */
// clean: which of two secrets is less, by the borrow of a subtraction as a value
// call: uint16_t less_than(const uint16_t a[1], const uint16_t b[1])
// secret: a, b
#include <stdint.h>

uint16_t less_than(const uint16_t a[1], const uint16_t b[1])
{
    uint32_t difference = (uint32_t)a[0] - b[0];
    return (uint16_t)(difference >> 16);
}
