/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own Skipjack; VARIANT is ENCRYPT_FAST or ENCRYPT_SMALL. */
#include <wardmote/skipjack.h>

#include "../primitives.h"

#define ENCRYPT_FAST wm_skipjack_encrypt
#define ENCRYPT_SMALL wm_skipjack_small_encrypt

static wm_skipjack expanded;

void library_key(const uint8_t *key)
{
    wm_skipjack_expand(&expanded, key);
}

void library_block(uint8_t *octets)
{
    VARIANT(&expanded, octets);
}
