/* SPDX-License-Identifier: BSD-3-Clause */
// clean: the loop ends early, at the first zero of a public text; only the pad is secret
// call: uint8_t exit_public(const uint8_t text[16], const uint8_t pad[16], uint8_t out[16])
// secret: pad
#include <stdint.h>

uint8_t exit_public(const uint8_t text[16], const uint8_t pad[16], uint8_t out[16])
{
    uint8_t length = 0;
    while (length < 16 && text[length] > 0x1F) {
        out[length] = text[length] ^ pad[length];
        length++;
    }
    return length;
}
