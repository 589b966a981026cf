/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: the index of a table of constants, in flash where there is one
// call: uint8_t constant_table(const uint8_t key[1])
// secret: key
#include <stdint.h>

static const uint8_t table[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};

uint8_t constant_table(const uint8_t key[1])
{
    return table[key[0] & 15];
}
