/* SPDX-License-Identifier: BSD-3-Clause */
/* mbedTLS 2.28: CMAC over AES-128. */
#include <mbedtls/cmac.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    if (mbedtls_cipher_cmac(mbedtls_cipher_info_from_type(MBEDTLS_CIPHER_AES_128_ECB), key, 128, m,
                            octets, tag))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
