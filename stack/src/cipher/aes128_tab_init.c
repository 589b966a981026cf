/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of AES-128 `tab` that encrypt, for the modes. */
#include "aes128_forward.h"

WM_CIPHER_KEY_CHECK(wm_aes128_tab_key);

static const wm_cipher_ops ops = {.encrypt = wm_aes128_tab_forward,
                                  .chain = WM_AES128_TAB_CHAIN,
                                  .rekey = wm_aes128_rekey,
                                  .block_octets = 16};

void wm_aes128_tab_init(wm_aes128_tab_key *key, const uint8_t octets[16])
{
    key->cipher.ops = &ops;
    wm_aes128_expand(&key->schedule, octets);
}
