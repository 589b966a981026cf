/* SPDX-License-Identifier: BSD-3-Clause */
/* All three in one call; the profile of the call tells them apart. */
#include "library.h"

void work(const uint8_t key[16], uint8_t block[16], const uint8_t nonce[NONCE_OCTETS],
          const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS], uint8_t tag[TAG_OCTETS]);

void work(const uint8_t key[16], uint8_t block[16], const uint8_t nonce[NONCE_OCTETS],
          const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS], uint8_t tag[TAG_OCTETS])
{
    library_key(key);
    library_block(block);
    library_seal(nonce, a, m, tag);
}
