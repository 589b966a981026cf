/* SPDX-License-Identifier: BSD-3-Clause */
/* BearSSL 0.6: AES-128 in the implementation that VARIANT names (big, small, ct) and CCM. */
#include "library.h"

#include <bearssl.h>
#include <inner.h>

#define JOIN3(a, b, c) a##b##c
#define NAME(a, b, c) JOIN3(a, b, c)

static NAME(br_aes_, VARIANT, _ctrcbc_keys) keys;
static br_ccm_context ccm;

void library_key(const uint8_t key[16])
{
    NAME(br_aes_, VARIANT, _ctrcbc_init)(&keys, key, 16);
}

void library_block(uint8_t block[16])
{
#ifdef PAIRS /* two blocks at a time: one goes through the library's CBC-MAC, whose chain is zero */
    uint8_t chain[16] = {0};
    keys.vtable->mac(&keys.vtable, chain, block, 16);
    memcpy(block, chain, 16);
#else
    NAME(br_aes_, VARIANT, _encrypt)(keys.num_rounds, keys.skey, block);
#endif
}

void library_seal(const uint8_t nonce[NONCE_OCTETS], const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS],
                  uint8_t tag[TAG_OCTETS])
{
    br_ccm_init(&ccm, &keys.vtable);
    if (!br_ccm_reset(&ccm, nonce, NONCE_OCTETS, A_OCTETS, M_OCTETS, TAG_OCTETS))
        return;
    br_ccm_aad_inject(&ccm, a, A_OCTETS);
    br_ccm_flip(&ccm);
    br_ccm_run(&ccm, 1, m, M_OCTETS);
    br_ccm_get_tag(&ccm, tag);
}
