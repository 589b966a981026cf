/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own AES-128 in the variant that VARIANT names (tab, small, fix) and its CCM*, as they
 * are shipped. */
#include "library.h"

#include <wardmote/aes128.h>
#include <wardmote/ccm.h>

#define JOIN3(a, b, c) a##b##c
#define NAME(a, b, c) JOIN3(a, b, c)
static NAME(wm_aes128_, VARIANT, _key) made;

void library_key(const uint8_t key[16])
{
    NAME(wm_aes128_, VARIANT, _init)(&made, key);
}

void library_block(uint8_t block[16])
{
    NAME(wm_aes128_, VARIANT, _encrypt)(&made.schedule, (wm_block128 *)(void *)block);
}

void library_seal(const uint8_t nonce[NONCE_OCTETS], const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS],
                  uint8_t tag[TAG_OCTETS])
{
    if (wm_ccm_seal(&made.cipher, nonce, a, A_OCTETS, m, M_OCTETS, tag, TAG_OCTETS))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
