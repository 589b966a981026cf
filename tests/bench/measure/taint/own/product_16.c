/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a product of 16 bits, by hardware
// call: uint16_t product_16(const uint16_t key[2])
// secret: key
#include <stdint.h>

uint16_t product_16(const uint16_t key[2])
{
    return (uint16_t)(key[0] * (uint32_t)key[1]);
}
