/* SPDX-License-Identifier: BSD-3-Clause */
// clean: fields of bits are put together and taken apart
// call: uint32_t pack_fields(const uint32_t key[1])
// secret: key
#include <stdint.h>

uint32_t pack_fields(const uint32_t key[1])
{
    uint32_t low = key[0] & 0x1F, middle = key[0] >> 5 & 0x7FF, high = key[0] >> 16;
    return high | middle << 16 | low << 27;
}
