/* SPDX-License-Identifier: BSD-3-Clause */
// clean: the table is secret, where it is read is not
// call: uint8_t public_index(const uint8_t subkeys[32], const uint8_t message[8])
// secret: subkeys
#include <stdint.h>

uint8_t public_index(const uint8_t subkeys[32], const uint8_t message[8])
{
    uint8_t sum = 0;
    for (uint8_t i = 0; i < 8; i++)
        sum ^= subkeys[message[i] & 31];
    return sum;
}
