/* SPDX-License-Identifier: BSD-3-Clause */
/* wolfSSL 5.9: HMAC-SHA-256. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/hmac.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    Hmac context;
    if (wc_HmacInit(&context, NULL, -2) || wc_HmacSetKey(&context, WC_SHA256, key, 16) ||
        wc_HmacUpdate(&context, m, octets) || wc_HmacFinal(&context, tag))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
