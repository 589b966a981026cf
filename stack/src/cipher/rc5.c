/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: functions for the modes. */
#include <wardmote/rc5.h>

static void forward(const void *key, wm_block128 *block)
{
    wm_rc5_encrypt(key, block->octet);
}

static void inverse(const void *key, wm_block128 *block)
{
    wm_rc5_decrypt(key, block->octet);
}

const wm_cipher_function wm_rc5_forward = {"rc5", forward, 8};
const wm_cipher_function wm_rc5_inverse = {"rc5 inverse", inverse, 8};
