/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own CMAC over AES-128 in the variant that VARIANT names (tab, small). */
#include <wardmote/aes128.h>
#include <wardmote/cmac.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    NAME(wm_aes128_, VARIANT, _key) made;
    wm_cmac_key derived;
    wm_cmac context;
    NAME(wm_aes128_, VARIANT, _init)(&made, key);
    if (wm_cmac_derive(&derived, &made.cipher) || wm_cmac_init(&context, &derived))
        return;
    wm_cmac_update(&context, m, octets);
    if (wm_cmac_final(&context, tag, 16))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
