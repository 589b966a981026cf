/* SPDX-License-Identifier: BSD-3-Clause */
/* mbedTLS 2.28: AES-128 and CCM with one expanded key. */
#include "library.h"

#include <mbedtls/aes.h>
#include <mbedtls/ccm.h>
#include <stdlib.h>
#include <string.h>

static mbedtls_ccm_context ccm;
static union {
    uint64_t aligned;
    uint8_t octets[512];
} pool;
static size_t used;

/* The library asks for memory once, when it gets the key. */
void *calloc(size_t count, size_t octets)
{
    size_t wanted = (count * octets + 7) & ~(size_t)7;
    if (wanted > sizeof pool.octets - used)
        return NULL;
    void *found = pool.octets + used;
    used += wanted;
    return memset(found, 0, wanted);
}

void free(void *octets)
{
    (void)octets;
}

void library_key(const uint8_t key[16])
{
    mbedtls_ccm_init(&ccm);
    (void)mbedtls_ccm_setkey(&ccm, MBEDTLS_CIPHER_ID_AES, key, 128);
}

void library_block(uint8_t block[16])
{
    (void)mbedtls_aes_crypt_ecb(ccm.cipher_ctx.cipher_ctx, MBEDTLS_AES_ENCRYPT, block, block);
}

void library_seal(const uint8_t nonce[NONCE_OCTETS], const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS],
                  uint8_t tag[TAG_OCTETS])
{
    if (mbedtls_ccm_encrypt_and_tag(&ccm, M_OCTETS, nonce, NONCE_OCTETS, a, A_OCTETS, m, m, tag,
                                    TAG_OCTETS))
        tag[0] ^= 1;
}
