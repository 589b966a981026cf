/* SPDX-License-Identifier: BSD-3-Clause */
// clean: products of 16-bit limbs, which every one of the CPUs multiplies in constant time
// call: void limbs(const uint16_t a[2], const uint16_t b[2], uint16_t low[2])
// secret: a, b
#include <stdint.h>

void limbs(const uint16_t a[2], const uint16_t b[2], uint16_t low[2])
{
    uint32_t first = (uint32_t)a[0] * b[0];
    low[0] = (uint16_t)first;
    low[1] = (uint16_t)((uint16_t)(first >> 16) + (uint16_t)((uint16_t)a[0] * (uint16_t)b[1]) +
                        (uint16_t)((uint16_t)a[1] * (uint16_t)b[0]));
}
