/* SPDX-License-Identifier: BSD-3-Clause */
/* wolfSSL 5.9: EAX over AES-128. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/aes.h>

#include "../primitives.h"

void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)
{
    if (wc_AesEaxEncryptAuth(key, 16, m, m, octets, nonce, 12, tag, 16, nonce, 0))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
