/* SPDX-License-Identifier: BSD-3-Clause */
// clean: rotations by constants, sums and exclusive ors of words
// call: uint32_t rotations(const uint32_t key[4])
// secret: key
#include <stdint.h>

uint32_t rotations(const uint32_t key[4])
{
    uint32_t a = key[0], b = key[1], c = key[2], d = key[3];
    for (uint8_t i = 0; i < 10; i++) {
        a += b;
        d = (d ^ a) << 16 | (d ^ a) >> 16;
        c += d;
        b = (b ^ c) << 7 | (b ^ c) >> 25;
    }
    return a ^ b ^ c ^ d;
}
