/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 `tab` along a CBC-MAC, block by block. */
#include "../util/xor.h"
#include "aes128_forward.h"

void wm_aes128_tab_chain(const void *schedule, wm_block128 *chain, const wm_block128 *data,
                         size_t blocks)
{
    for (; blocks != 0; blocks--) {
        wm_aes128_tab_forward(schedule, chain);
        wm_xor(chain->octet, data->octet, sizeof data->octet);
        data++;
    }
}
