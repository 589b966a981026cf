/* SPDX-License-Identifier: BSD-3-Clause */
// clean: the buffer is wiped before it is asked
// call: uint8_t wiped_then_asked(uint8_t key[4])
// secret: key
#include <stdint.h>

uint8_t wiped_then_asked(uint8_t key[4])
{
    uint8_t sum = 0;
    volatile uint8_t *octets = key;
    for (uint8_t i = 0; i < 4; i++) {
        sum = (uint8_t)(sum ^ octets[i]);
        octets[i] = 0;
    }
    if (octets[2] != 0)
        sum = 1;
    return sum;
}
