/* SPDX-License-Identifier: BSD-3-Clause */
/* wolfSSL 5.9: the hash whose functions INIT, UPDATE and FINAL name; CONTEXT is its type, MORE what
 * follows it. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ascon.h>
#include <wolfssl/wolfcrypt/blake2.h>
#include <wolfssl/wolfcrypt/sha.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>

#include "../primitives.h"

#ifdef OF_SHA3
#define INIT(context) wc_InitSha3_256(context, NULL, -2)
#elif defined OF_BLAKE2S
#define INIT(context) wc_InitBlake2s(context, 32)
#define FINAL(context, digest) wc_Blake2sFinal(context, digest, 32)
#endif

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    CONTEXT context;
    if (INIT(&context) || UPDATE(&context, m, octets) || FINAL(&context, digest))
        digest[0] ^= 1; /* so that a refusal shows in the output */
}
