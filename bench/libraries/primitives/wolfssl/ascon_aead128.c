/* SPDX-License-Identifier: BSD-3-Clause */
/* wolfSSL 5.9: Ascon-AEAD128. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/ascon.h>

#include "../primitives.h"

void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)
{
    wc_AsconAEAD128 context;
    if (wc_AsconAEAD128_Init(&context) || wc_AsconAEAD128_SetKey(&context, key) ||
        wc_AsconAEAD128_SetNonce(&context, nonce) || wc_AsconAEAD128_SetAD(&context, NULL, 0) ||
        wc_AsconAEAD128_EncryptUpdate(&context, m, m, octets) ||
        wc_AsconAEAD128_EncryptFinal(&context, tag))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
