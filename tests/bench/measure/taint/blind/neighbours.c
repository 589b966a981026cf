/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a word whose lower half is secret and whose upper half is a public length
// call: uint8_t neighbours(const uint16_t key[1], uint16_t length, uint8_t data[8])
// secret: key
// arg: length=5
#include <stdint.h>

static volatile uint32_t packed;

uint8_t neighbours(const uint16_t key[1], uint16_t length, uint8_t data[8])
{
    packed = (uint32_t)length << 16 | key[0];
    uint8_t low = (uint8_t)packed;
    uint16_t count = (uint16_t)(packed >> 16);
    for (uint16_t i = 0; i < count && i < 8; i++)
        data[i] ^= low;
    return (uint8_t)count;
}
