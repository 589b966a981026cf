/* SPDX-License-Identifier: BSD-3-Clause */
// clean: it branches on public octets beside the secret ones
// call: uint8_t public_header(const uint8_t key[4], const uint8_t header[4])
// secret: key
#include <stdint.h>

uint8_t public_header(const uint8_t key[4], const uint8_t header[4])
{
    uint8_t sum = 0;
    for (uint8_t i = 0; i < 4; i++)
        if (header[i] & 1)
            sum = (uint8_t)(sum + key[i]);
    return sum;
}
