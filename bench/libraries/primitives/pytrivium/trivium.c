/* SPDX-License-Identifier: BSD-3-Clause */
/* The C of pytrivium 1.0: keystream in words, which is all it makes, for at most 128 octets. It has
 * the octets of key, initial value and words in the other order than eSTREAM's vectors have them.
 * Its header comes by an option: it has no guard, and its source does not include it. */
#include "../primitives.h"

void stream(const uint8_t *key, const uint8_t *iv, uint8_t *m, uint16_t octets)
{
    TRIVIUM_ctx context;
    uint32_t word[32];
    uint8_t last_first[20];
    for (uint8_t i = 0; i < 10; i++) {
        last_first[i] = key[9 - i];
        last_first[10 + i] = iv[9 - i];
    }
    TRIVIUM_init(&context, last_first, last_first + 10, 10, 10);
    TRIVIUM_genkeystream32(&context, word, octets / 4);
    for (uint16_t i = 0; i < octets; i++)
        m[i] ^= ((const uint8_t *)word)[i ^ 3];
}
