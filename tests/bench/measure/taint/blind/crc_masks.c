/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a CRC of secrets, in which the bit that falls out is multiplied and not asked for
// call: uint16_t crc_masks(const uint8_t data[8])
// secret: data
#include <stdint.h>

uint16_t crc_masks(const uint8_t data[8])
{
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < 8; i++) {
        crc ^= data[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            volatile uint16_t fallen = (uint16_t)(0u - (crc & 1u));
            crc = (uint16_t)(crc >> 1 ^ (fallen & 0x8408));
        }
    }
    return crc;
}
