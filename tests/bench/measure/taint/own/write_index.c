/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a secret says where to write
// call: void write_index(const uint8_t key[1], uint8_t counts[256])
// secret: key
#include <stdint.h>

void write_index(const uint8_t key[1], uint8_t counts[256])
{
    counts[key[0]] = 1;
}
