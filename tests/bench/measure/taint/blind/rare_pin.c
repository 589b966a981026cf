/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: one PIN of 65 536 takes another path
// call: uint8_t rare_pin(const uint8_t pin[2])
// secret: pin
#include <stdint.h>

volatile uint8_t log_level;

uint8_t rare_pin(const uint8_t pin[2])
{
    if ((uint16_t)(pin[0] | (uint16_t)pin[1] << 8) == 0x5AC3) {
        log_level = 2;
        log_level = 0;
    }
    return (uint8_t)(pin[0] ^ pin[1]);
}
