/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: UMULL of the Cortex-M3 ends early; routines of the AVR and the M0+ branch on carries
// call: void multiply_long(const uint32_t limb[2], uint32_t product[2])
// secret: limb
// on: armv7m avr cortex-m0plus
#include <stdint.h>

void multiply_long(const uint32_t limb[2], uint32_t product[2])
{
    uint64_t p = (uint64_t)limb[0] * limb[1];
    product[0] = (uint32_t)p;
    product[1] = (uint32_t)(p >> 32);
}
