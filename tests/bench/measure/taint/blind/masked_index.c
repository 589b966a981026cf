/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: seven bits of a secret decide together which of two entries is read: one value of 128
// call: uint8_t masked_index(const uint8_t key[1])
// secret: key
#include <stdint.h>

static volatile const uint8_t table[2] = {0x63, 0x7C};

uint8_t masked_index(const uint8_t key[1])
{
    uint8_t carry = (uint8_t)((((key[0] ^ 0x35) & 0x7F) + 1) >> 7);
    return table[carry];
}
