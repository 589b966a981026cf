/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own OCB3 over AES-128 in the variant that VARIANT names (tab, small); sealing
 * alone. */
#include <wardmote/aes128.h>
#include <wardmote/ocb3.h>

#include "../primitives.h"

void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)
{
    NAME(wm_aes128_, VARIANT, _key) made;
    wm_ocb3_key derived;
    NAME(wm_aes128_, VARIANT, _init)(&made, key);
    if (wm_ocb3_derive(&derived, &made.cipher) ||
        wm_ocb3_seal(&derived, nonce, 12, NULL, 0, m, octets, tag, 16))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
