/* SPDX-License-Identifier: BSD-3-Clause */
/* mbedTLS 2.28: SHA-256, or SHA-1. */
#include <mbedtls/sha1.h>
#include <mbedtls/sha256.h>

#include "../primitives.h"

#ifdef SHA256
#define CALL(m, octets, digest) mbedtls_sha256_ret(m, octets, digest, 0)
#else
#define CALL(m, octets, digest) mbedtls_sha1_ret(m, octets, digest)
#endif

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    if (CALL(m, octets, digest))
        digest[0] ^= 1; /* so that a refusal shows in the output */
}
