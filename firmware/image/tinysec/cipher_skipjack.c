/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack with the keys that TinySec gives it: 8 octets, and two zeros behind. */
#include <wardmote/ct.h>
#include <wardmote/skipjack.h>
#include "cipher.h"

static wm_skipjack_key keys[CIPHER_USES];

const wm_cipher *cipher_make(cipher_use use, const uint8_t octets[CIPHER_KEY_OCTETS])
{
    uint8_t padded[10] = {0};
    __builtin_memcpy(padded, octets, CIPHER_KEY_OCTETS);
    wm_skipjack_init_both(&keys[use], padded);
    wm_wipe(padded, sizeof padded);
    return &keys[use].cipher;
}
