/* SPDX-License-Identifier: BSD-3-Clause */
/* wolfSSL 5.9: CMAC over AES-128. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/cmac.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    word32 length = 16;
    if (wc_AesCmacGenerate(tag, &length, m, octets, key, 16))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
