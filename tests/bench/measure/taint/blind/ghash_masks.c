/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a product in GHASH's field; each bit of a factor becomes a mask, and so does what falls out
// call: void ghash_masks(const uint8_t h[16], uint8_t x[16])
// secret: h, x
#include <stdint.h>

void ghash_masks(const uint8_t h[16], uint8_t x[16])
{
    uint8_t v[16], z[16];
    for (uint8_t i = 0; i < 16; i++) {
        v[i] = h[i];
        z[i] = 0;
    }
    for (uint8_t bit = 0; bit < 128; bit++) {
        volatile uint8_t taken = (uint8_t)(0u - (x[bit >> 3] >> (7 - (bit & 7)) & 1u));
        volatile uint8_t fallen = (uint8_t)(0u - (v[15] & 1u));
        uint8_t take = taken, reduce = fallen;
        for (uint8_t i = 0; i < 16; i++)
            z[i] ^= v[i] & take;
        for (uint8_t i = 15; i > 0; i--)
            v[i] = (uint8_t)(v[i] >> 1 | v[i - 1] << 7);
        v[0] = (uint8_t)(v[0] >> 1 ^ (reduce & 0xE1));
    }
    for (uint8_t i = 0; i < 16; i++)
        x[i] = z[i];
}
