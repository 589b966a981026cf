/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: shifts by a secret amount are loops on CPUs that shift by one bit; 15 or 14, rarely
// call: uint16_t shift_amount(uint16_t value, const uint8_t key[2])
// secret: key
// arg: value=51966
// on: msp430 avr
#include <stdint.h>

uint16_t shift_amount(uint16_t value, const uint8_t key[2])
{
    uint8_t rare = (uint8_t)((uint8_t)(key[0] ^ 0x81) & (uint8_t)(key[1] ^ 0x7E));
    rare &= (uint8_t)(rare >> 4);
    rare &= (uint8_t)(rare >> 2);
    rare &= (uint8_t)(rare >> 1);
    return (uint16_t)(value >> (14 + (rare & 1)));
}
