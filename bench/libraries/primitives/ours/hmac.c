/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own HMAC-SHA-256. */
#include <wardmote/hmac.h>

#include "../primitives.h"

void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)
{
    wm_hmac context;
    wm_hmac_init(&context, &wm_hash_sha256, key, 16);
    wm_hmac_update(&context, m, octets);
    if (wm_hmac_final(&context, tag, 32))
        tag[0] ^= 1; /* so that a refusal shows in the output */
}
