/* SPDX-License-Identifier: BSD-3-Clause */
/* BearSSL 0.6: HMAC-SHA-256. */
#include <bearssl.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    br_hmac_key_context keyed;
    br_hmac_context context;
    br_hmac_key_init(&keyed, &br_sha256_vtable, key, 16);
    br_hmac_init(&context, &keyed, 0);
    br_hmac_update(&context, m, octets);
    (void)br_hmac_out(&context, tag);
}
