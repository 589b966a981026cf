/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a secret bit chooses between two words by a mask
// call: void select_word(const uint8_t bit[1], const uint16_t words[2], uint16_t chosen[1])
// secret: bit, words
#include <stdint.h>

void select_word(const uint8_t bit[1], const uint16_t words[2], uint16_t chosen[1])
{
    volatile uint16_t mask = (uint16_t)(0u - (bit[0] & 1u));
    chosen[0] = (uint16_t)(words[0] ^ ((words[0] ^ words[1]) & mask));
}
