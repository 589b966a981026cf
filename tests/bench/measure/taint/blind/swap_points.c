/* SPDX-License-Identifier: BSD-3-Clause */
// clean: the swap of a ladder; the same octets are read and written for either bit
// call: void swap_points(const uint8_t bit[1], uint8_t p[16], uint8_t q[16])
// secret: bit, p, q
#include <stdint.h>

void swap_points(const uint8_t bit[1], uint8_t p[16], uint8_t q[16])
{
    volatile uint8_t keep = (uint8_t)(0u - (bit[0] & 1u));
    uint8_t mask = keep;
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t both = (uint8_t)((p[i] ^ q[i]) & mask);
        p[i] ^= both;
        q[i] ^= both;
    }
}
