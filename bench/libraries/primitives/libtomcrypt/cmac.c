/* SPDX-License-Identifier: BSD-3-Clause */
/* libtomcrypt 1.18: CMAC over AES-128, which it calls OMAC. */
#include <tomcrypt.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    unsigned long length = 16;
    if (omac_memory(register_cipher(&aes_enc_desc), key, 16, m, octets, tag, &length))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
