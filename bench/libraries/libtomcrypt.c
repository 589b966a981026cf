/* SPDX-License-Identifier: BSD-3-Clause */
/* libtomcrypt 1.18: AES and CCM with a scheduled key. */
#include "library.h"

#include <tomcrypt.h>

static symmetric_key expanded;
static int cipher;

/* Asked for by what is never reached with these arguments. */
void *malloc(size_t octets)
{
    (void)octets;
    return NULL;
}

void free(void *octets)
{
    (void)octets;
}

void library_key(const uint8_t key[16])
{
    cipher = register_cipher(&aes_enc_desc);
    (void)aes_enc_desc.setup(key, 16, 0, &expanded);
}

void library_block(uint8_t block[16])
{
    (void)aes_enc_desc.ecb_encrypt(block, block, &expanded);
}

void library_seal(const uint8_t nonce[NONCE_OCTETS], const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS],
                  uint8_t tag[TAG_OCTETS])
{
    unsigned long octets = TAG_OCTETS;
    if (ccm_memory(cipher, NULL, 0, &expanded, nonce, NONCE_OCTETS, a, A_OCTETS, m, M_OCTETS, m,
                   tag, &octets, CCM_ENCRYPT))
        tag[0] ^= 1;
}
