/* SPDX-License-Identifier: BSD-3-Clause */
/* mbedTLS 2.28: HMAC-SHA-256. */
#include <mbedtls/md.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    if (mbedtls_md_hmac(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), key, 16, m, octets, tag))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
