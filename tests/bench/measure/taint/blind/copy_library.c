/* SPDX-License-Identifier: BSD-3-Clause */
// clean: memcpy, memmove and memset move secrets; their lengths and places are public
// call: uint8_t copy_library(const uint8_t key[16], uint8_t used, uint8_t out[32])
// secret: key
// arg: used=11
#include <stdint.h>
#include <string.h>

uint8_t copy_library(const uint8_t key[16], uint8_t used, uint8_t out[32])
{
    uint8_t keep[16];
    memset(out, 0, 32);
    memcpy(keep, key, sizeof keep);
    memcpy(out + used, keep, used);
    memmove(out + 3, out, 20);
    memset(keep, 0, sizeof keep);
    return keep[used & 15] == 0 ? used : 0;
}
