/* SPDX-License-Identifier: BSD-3-Clause */
/* seal() of a mode over AES-128 that derives a key of its own. */
#include <wardmote/aes128.h>

#include "../primitives.h"

#define SEAL_WITH_DERIVED_KEY(derives, mode)                                                       \
    void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag) \
    {                                                                                              \
        NAME(wm_aes128_, VARIANT, _key) made;                                                      \
        wm_##derives##_key derived;                                                                \
        NAME(wm_aes128_, VARIANT, _init)(&made, key);                                              \
        if (wm_##derives##_derive(&derived, &made.cipher) ||                                       \
            wm_##mode##_seal(&derived, nonce, 12, NULL, 0, m, octets, tag, 16))                    \
            tag[0] ^= 1; /* so that a refusal shows in the output */                               \
    }
