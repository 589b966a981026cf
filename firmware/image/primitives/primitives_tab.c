/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `primitives-tab`: AES-128 `tab`. */
#include "primitives.h"

void primitives_encrypt(const wm_aes128 *key, wm_block128 *block)
{
    wm_aes128_tab_encrypt(key, block);
}
