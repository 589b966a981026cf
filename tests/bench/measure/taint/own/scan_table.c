/* SPDX-License-Identifier: BSD-3-Clause */
// clean: all of a table is read, and a mask keeps one octet
// call: uint8_t scan_table(const uint8_t key[1], const uint8_t table[16])
// secret: key
#include <stdint.h>

uint8_t scan_table(const uint8_t key[1], const uint8_t table[16])
{
    uint8_t found = 0;
    for (uint8_t i = 0; i < 16; i++) {
        uint16_t differs = (uint16_t)((key[0] & 15u) ^ i);
        volatile uint8_t mask = (uint8_t)((uint16_t)(differs - 1u) >> 8);
        found |= (uint8_t)(table[i] & mask);
    }
    return found;
}
