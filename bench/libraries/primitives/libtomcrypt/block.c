/* SPDX-License-Identifier: BSD-3-Clause */
/* libtomcrypt 1.18: the block cipher that PRIMITIVE names, with a key of KEY octets; 12 rounds of
 * RC5. */
#include <tomcrypt.h>

#include "../primitives.h"

static symmetric_key expanded;

void library_key(const uint8_t *key)
{
    /* a refusal would show in the block */
    (void)NAME(, PRIMITIVE, _setup)(key, KEY, ROUNDS, &expanded);
}

void library_block(uint8_t *octets)
{
    (void)NAME(, PRIMITIVE, _ecb_encrypt)(octets, octets, &expanded);
}
