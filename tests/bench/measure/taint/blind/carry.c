/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: the upper half of a sum knows of the secret by the carry alone, one in 2^16 times
// call: uint8_t carry(const uint32_t key[1], uint32_t epoch)
// secret: key
// arg: epoch=1
#include <stdint.h>

volatile uint8_t rollovers;

uint8_t carry(const uint32_t key[1], uint32_t epoch)
{
    uint64_t count = (uint64_t)epoch << 32 | (key[0] ^ 0x5A5A0000);
    count += 0x10000;
    if ((uint32_t)(count >> 32) != epoch)
        rollovers = 1;
    return 0;
}
