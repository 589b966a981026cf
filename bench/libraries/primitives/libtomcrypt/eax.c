/* SPDX-License-Identifier: BSD-3-Clause */
/* libtomcrypt 1.18: EAX over AES-128. */
#include <tomcrypt.h>

#include "../primitives.h"

void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)
{
    unsigned long length = 16;
    int cipher = register_cipher(&aes_enc_desc);
    if (eax_encrypt_authenticate_memory(cipher, key, 16, nonce, 12, NULL, 0, m, octets, m, tag,
                                        &length))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
