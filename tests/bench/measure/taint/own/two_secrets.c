/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: the sum of two secrets decides; each of them alone does not
// call: uint8_t two_secrets(const uint8_t key[2], const uint8_t pin[2])
// secret: key, pin
#include <stdint.h>

volatile uint8_t opened;

uint8_t two_secrets(const uint8_t key[2], const uint8_t pin[2])
{
    uint16_t a = (uint16_t)(key[0] | (uint16_t)key[1] << 8);
    uint16_t b = (uint16_t)(pin[0] | (uint16_t)pin[1] << 8);
    if ((uint16_t)(a + b) == 0x8001)
        opened = 1;
    return 0;
}
