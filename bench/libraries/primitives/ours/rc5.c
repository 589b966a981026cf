/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own RC5-32/12. */
#include <wardmote/rc5.h>

#include "../primitives.h"

static wm_rc5 expanded;

void library_key(const uint8_t *key)
{
    (void)wm_rc5_expand(&expanded, key, 16); /* a refusal would show in the block */
}

void library_block(uint8_t *octets)
{
    wm_rc5_encrypt(&expanded, octets);
}
