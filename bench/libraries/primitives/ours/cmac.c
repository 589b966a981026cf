/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own CMAC over AES-128 in the variant that VARIANT names (tab, small). */
#include <wardmote/aes128.h>
#include <wardmote/cmac.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    wm_aes128 expanded;
    wm_cmac_key derived;
    wm_cmac context;
    wm_aes128_expand(&expanded, key);
    wm_cmac_derive(&derived, &NAME(wm_aes128_, VARIANT, _forward), &expanded);
    wm_cmac_init(&context, &derived);
    wm_cmac_update(&context, m, octets);
    if (wm_cmac_final(&context, tag, 16))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
