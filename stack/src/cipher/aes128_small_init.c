/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of AES-128 `small` that encrypt, for the modes. */
#include "aes128_forward.h"

WM_CIPHER_KEY_CHECK(wm_aes128_small_key);

static const wm_cipher_ops ops = {
    .encrypt = wm_aes128_small_forward, .rekey = wm_aes128_rekey, .block_octets = 16};

void wm_aes128_small_init(wm_aes128_small_key *key, const uint8_t octets[16])
{
    key->cipher.ops = &ops;
    wm_aes128_expand(&key->schedule, octets);
}
