/* SPDX-License-Identifier: BSD-3-Clause */
/* BearSSL 0.6: EAX over AES-128 in the implementation that VARIANT names (big, small). */
#include <bearssl.h>

#include "../primitives.h"

void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)
{
    NAME(br_aes_, VARIANT, _ctrcbc_keys) keys;
    br_eax_context context;
    NAME(br_aes_, VARIANT, _ctrcbc_init)(&keys, key, 16);
    br_eax_init(&context, &keys.vtable);
    br_eax_reset(&context, nonce, 12);
    br_eax_flip(&context);
    br_eax_run(&context, 1, m, octets);
    br_eax_get_tag(&context, tag);
}
