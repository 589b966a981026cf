/* SPDX-License-Identifier: BSD-3-Clause */
/* libtomcrypt 1.18: HMAC-SHA-256. */
#include <tomcrypt.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    unsigned long length = 32;
    if (hmac_memory(register_hash(&sha256_desc), key, 16, m, octets, tag, &length))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
