/* SPDX-License-Identifier: BSD-3-Clause */
/* libb2 0.98: BLAKE2s, its code for any machine. */
#include <blake2.h>

#include "../primitives.h"

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    if (blake2s(digest, m, NULL, 32, octets, 0))
        digest[0] ^= 1; /* so that a refusal shows in the output */
}
