/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a secret is kept through a long public loop, and decides after it
// call: uint16_t late_use(const uint8_t key[2], const uint8_t data[16])
// secret: key
#include <stdint.h>

volatile uint16_t late;

uint16_t late_use(const uint8_t key[2], const uint8_t data[16])
{
    volatile uint16_t kept = (uint16_t)(key[0] | (uint16_t)key[1] << 8);
    uint16_t sum = 0;
    for (uint8_t i = 0; i < 16; i++)
        sum = (uint16_t)((sum << 1 | sum >> 15) + data[i]);
    if (kept == 0x4242)
        late = sum;
    return sum;
}
