/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a shift of 64 bits by a secret runs a loop or selects by a condition
// call: uint64_t shift_64(const uint8_t key[1], uint64_t word)
// secret: key
// arg: word=81985529216486895
// on: msp430 avr cortex-m0plus
#include <stdint.h>

uint64_t shift_64(const uint8_t key[1], uint64_t word)
{
    return word << (key[0] & 63);
}
