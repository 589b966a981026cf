/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a weak key, one of 2^32, is refused before the work is done
// call: uint8_t rare_weak_key(const uint8_t key[4], uint8_t block[4])
// secret: key
#include <stdint.h>

uint8_t rare_weak_key(const uint8_t key[4], uint8_t block[4])
{
    uint8_t differs = 0;
    for (uint8_t i = 0; i < 4; i++)
        differs |= (uint8_t)(key[i] ^ (0x1F + 0x11 * i));
    if (differs == 0)
        return 1;
    for (uint8_t i = 0; i < 4; i++)
        block[i] = (uint8_t)((block[i] ^ key[i]) + 0x3B);
    return 0;
}
