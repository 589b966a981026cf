/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a product in GF(2^8), bit by bit, with masks
// call: uint8_t field_multiply(const uint8_t key[1], uint8_t by)
// secret: key
// arg: by=83
#include <stdint.h>

uint8_t field_multiply(const uint8_t key[1], uint8_t by)
{
    uint8_t a = key[0], product = 0;
    for (uint8_t i = 0; i < 8; i++) {
        if (by & 1)
            product ^= a;
        by >>= 1;
        volatile uint8_t mask = (uint8_t)(0u - (a >> 7));
        a = (uint8_t)((uint8_t)(a << 1) ^ (mask & 0x1B));
    }
    return product;
}
