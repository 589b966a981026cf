/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a remainder: a division instruction or a routine that branches
// call: uint16_t divide_software(uint16_t key, uint16_t base)
// secret: key
// arg: base=641
#include <stdint.h>

uint16_t divide_software(uint16_t key, uint16_t base)
{
    return (uint16_t)((uint16_t)(key | 1u) % base);
}
