/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `primitives-small`: AES-128 `small`. */
#include "primitives.h"

void primitives_encrypt(const wm_aes128 *key, wm_block128 *block)
{
    wm_aes128_small_encrypt(key, block);
}
