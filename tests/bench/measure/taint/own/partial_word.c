/* SPDX-License-Identifier: BSD-3-Clause */
// clean: the public upper half of a word decides; the secret is in the lower one
// call: uint8_t partial_word(const uint8_t key[2], uint16_t public_half)
// secret: key
// arg: public_half=4660
#include <stdint.h>

uint8_t partial_word(const uint8_t key[2], uint16_t public_half)
{
    volatile uint32_t word = (uint32_t)public_half << 16 | (uint32_t)key[1] << 8 | key[0];
    if (word >> 16 == 0x1234)
        return (uint8_t)(key[0] ^ 1);
    return key[0];
}
