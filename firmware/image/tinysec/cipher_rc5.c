/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12/8. */
#include <stddef.h>
#include <wardmote/rc5.h>
#include "cipher.h"

static wm_rc5_key keys[CIPHER_USES];

const wm_cipher *cipher_make(cipher_use use, const uint8_t octets[CIPHER_KEY_OCTETS])
{
    return wm_rc5_init_both(&keys[use], octets, CIPHER_KEY_OCTETS) == WM_OK ? &keys[use].cipher
                                                                            : NULL;
}
