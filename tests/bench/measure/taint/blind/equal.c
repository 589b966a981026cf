/* SPDX-License-Identifier: BSD-3-Clause */
// clean: all octets are compared, and the answer is a mask
// call: uint8_t equal(const uint8_t tag[8], const uint8_t want[8])
// secret: tag, want
#include <stdint.h>

uint8_t equal(const uint8_t tag[8], const uint8_t want[8])
{
    uint8_t differs = 0;
    for (uint8_t i = 0; i < 8; i++)
        differs |= tag[i] ^ want[i];
    return (uint8_t)(((uint16_t)(differs - 1u)) >> 8);
}
