/* SPDX-License-Identifier: BSD-3-Clause */
// clean: secrets are in the buffer first, public values later; the branches are on the latter
// call: uint8_t overwritten(const uint8_t key[8], const uint8_t header[8], uint8_t mac[1])
// secret: key
#include <stdint.h>

static volatile uint8_t scratch[8];

uint8_t overwritten(const uint8_t key[8], const uint8_t header[8], uint8_t mac[1])
{
    uint8_t sum = 0, fields = 0;
    for (uint8_t i = 0; i < 8; i++)
        scratch[i] = key[i];
    for (uint8_t i = 0; i < 8; i++)
        sum = (uint8_t)((uint8_t)(sum << 1 | sum >> 7) + scratch[i]);
    mac[0] = sum;
    for (uint8_t i = 0; i < 8; i++)
        scratch[i] = header[i];
    for (uint8_t i = 0; i < 8; i++)
        if (scratch[i] & 0x80)
            fields = (uint8_t)(fields + scratch[(i + 1) & 7]);
    return fields;
}
