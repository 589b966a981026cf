/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a secret dividend: UDIV of the ARMv7-M ends early, the others call a loop with branches
// call: uint16_t divide_secret(const uint16_t share[1], uint16_t parts)
// secret: share
// arg: parts=7
#include <stdint.h>

uint16_t divide_secret(const uint16_t share[1], uint16_t parts)
{
    return (uint16_t)(share[0] / parts);
}
