/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own Ascon-AEAD128. */
#include <wardmote/ascon_aead128.h>

#include "../primitives.h"

void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)
{
    wm_ascon_aead128_seal(key, nonce, NULL, 0, m, octets, tag);
}
