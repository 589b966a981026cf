/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a store that is made under a secret condition, by a skip, a jump or an IT block
// call: uint8_t conditional_store(const uint8_t key[2], uint8_t seen[1])
// secret: key
#include <stdint.h>

uint8_t conditional_store(const uint8_t key[2], uint8_t seen[1])
{
    volatile uint8_t *flag = seen;
    uint16_t both = (uint16_t)(key[0] * 3u + key[1]);
    if (both == 0x0123)
        *flag = 1;
    return (uint8_t)both;
}
