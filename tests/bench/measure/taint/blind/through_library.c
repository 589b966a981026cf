/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: memcmp ends at the first octet that differs; masked tags differ there but for one in 256
// call: int through_library(const uint8_t tag[8], const uint8_t want[8], const uint8_t pad[8])
// secret: want
#include <stdint.h>
#include <string.h>

int through_library(const uint8_t tag[8], const uint8_t want[8], const uint8_t pad[8])
{
    uint8_t masked[8];
    for (uint8_t i = 0; i < 8; i++)
        masked[i] = want[i] ^ pad[i];
    return memcmp(masked, tag, sizeof masked) == 0 ? 0 : -1;
}
