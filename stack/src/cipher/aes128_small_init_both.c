/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of AES-128 `small` for both directions. A file of its own: an image that never decrypts
 * blocks holds no inverse cipher. */
#include "aes128_forward.h"

WM_CIPHER_KEY_CHECK(wm_aes128_small_key);

static void inverse(const void *schedule, wm_block128 *block)
{
    wm_aes128_small_decrypt(schedule, block);
}

static const wm_cipher_ops ops = {.encrypt = wm_aes128_small_forward,
                                  .decrypt = inverse,
                                  .rekey = wm_aes128_rekey,
                                  .block_octets = 16};

void wm_aes128_small_init_both(wm_aes128_small_key *key, const uint8_t octets[16])
{
    key->cipher.ops = &ops;
    wm_aes128_expand(&key->schedule, octets);
}
