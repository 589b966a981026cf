/* SPDX-License-Identifier: BSD-3-Clause */
/* libtomcrypt 1.18: the hash that PRIMITIVE names, through its descriptor. */
#include <tomcrypt.h>

#include "../primitives.h"

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    hash_state state;
    const struct ltc_hash_descriptor *descriptor = &NAME(, PRIMITIVE, _desc);
    if (descriptor->init(&state) || descriptor->process(&state, m, octets) ||
        descriptor->done(&state, digest))
        digest[0] ^= 1; /* so that a refusal shows in the output */
}
