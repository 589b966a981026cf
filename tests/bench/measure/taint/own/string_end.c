/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: it runs up to the first octet of the secret that is 0
// call: uint8_t string_end(const uint8_t key[8])
// secret: key
#include <stdint.h>

uint8_t string_end(const uint8_t key[8])
{
    uint8_t length = 0;
    while (length < 8 && key[length] != 0)
        length++;
    return length;
}
