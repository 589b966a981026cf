/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: the address of the second read is what the first has read
// call: uint8_t pointer_chain(const uint8_t key[4], const uint8_t table[256])
// secret: key
#include <stdint.h>

uint8_t pointer_chain(const uint8_t key[4], const uint8_t table[256])
{
    uint8_t copy[4];
    for (uint8_t i = 0; i < 4; i++)
        copy[i] = (uint8_t)(key[i] ^ 0x55);
    return table[copy[3]];
}
