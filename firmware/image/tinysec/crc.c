/* SPDX-License-Identifier: BSD-3-Clause */
#include "crc.h"

uint16_t crc_with(uint16_t crc, uint8_t octet)
{
    crc = (uint16_t)(crc ^ (uint16_t)(octet << 8));
    for (uint8_t bit = 0; bit < 8; bit++) {
        uint16_t feedback = (crc & 0x8000u) != 0 ? 0x1021u : 0;
        crc = (uint16_t)((uint16_t)(crc << 1) ^ feedback);
    }
    return crc;
}
