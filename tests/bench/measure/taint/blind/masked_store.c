/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a bit made of 32 secret bits chooses where the mark is stored
// call: void masked_store(const uint8_t key[4], uint8_t marks[2])
// secret: key
#include <stdint.h>

void masked_store(const uint8_t key[4], uint8_t marks[2])
{
    uint8_t all = (uint8_t)((key[0] ^ 0x12) & (key[1] ^ 0x34) & (key[2] ^ 0x56) & (key[3] ^ 0x78));
    all &= (uint8_t)(all >> 4);
    all &= (uint8_t)(all >> 2);
    all &= (uint8_t)(all >> 1);
    marks[all & 1] = 0xA5;
}
