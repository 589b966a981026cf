/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a secret index, but every entry is read and all but one are masked away
// call: uint8_t lookup_scan(const uint8_t index[1])
// secret: index
#include <stdint.h>

static const uint8_t table[16] = {0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD,
                                  0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2};

uint8_t lookup_scan(const uint8_t index[1])
{
    uint8_t found = 0;
    for (uint8_t i = 0; i < 16; i++) {
        uint16_t differs = (uint8_t)((index[0] & 15) ^ i);
        volatile uint8_t mask = (uint8_t)((uint16_t)(differs - 1u) >> 8);
        found |= table[i] & mask;
    }
    return found;
}
