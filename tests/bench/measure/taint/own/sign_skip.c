/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: the sign bit of a secret, seldom set, is asked for
// call: uint8_t sign_skip(const uint8_t key[2])
// secret: key
#include <stdint.h>

volatile uint8_t negative;

uint8_t sign_skip(const uint8_t key[2])
{
    int8_t both = (int8_t)(key[0] & key[1] & (key[0] << 1) & (key[1] << 1));
    if (both < 0)
        negative = 1;
    return 0;
}
