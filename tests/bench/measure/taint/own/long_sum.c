/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a sum of 64 bits: for the MSP430 the compiler makes its carries with branches
// call: void long_sum(const uint64_t key[1], uint64_t block[1])
// secret: key
// on: msp430
#include <stdint.h>

void long_sum(const uint64_t key[1], uint64_t block[1])
{
    block[0] += key[0];
}
