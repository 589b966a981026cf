/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a sum that saturates when it overflows, once in 2^16
// call: uint16_t saturate(const uint16_t key[1], uint16_t step, uint16_t out[1])
// secret: key
// arg: step=1
#include <stdint.h>

uint16_t saturate(const uint16_t key[1], uint16_t step, uint16_t out[1])
{
    uint16_t sum = (uint16_t)(key[0] + step);
    volatile uint16_t *place = out;
    if (sum < step)
        *place = 0xFFFF;
    return sum;
}
