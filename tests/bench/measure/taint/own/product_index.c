/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a product of a secret is the index of a table
// call: uint8_t product_index(const uint8_t key[2], const uint8_t table[256])
// secret: key
#include <stdint.h>

uint8_t product_index(const uint8_t key[2], const uint8_t table[256])
{
    uint16_t product = (uint16_t)((uint16_t)(key[0] | (uint16_t)key[1] << 8) * 40503u);
    return table[product >> 8];
}
