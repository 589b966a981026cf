/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of AES-128 `fix`, for the modes. */
#include "aes128_forward.h"

WM_CIPHER_KEY_CHECK(wm_aes128_fix_key);

static void rekey(void *schedule, const uint8_t key[16])
{
    wm_aes128_fix_expand(schedule, key);
}

static const wm_cipher_ops ops = {.encrypt = wm_aes128_fix_forward,
                                  .encrypt2 = wm_aes128_fix_forward2,
                                  .rekey = rekey,
                                  .block_octets = 16};

void wm_aes128_fix_init(wm_aes128_fix_key *key, const uint8_t octets[16])
{
    key->cipher.ops = &ops;
    wm_aes128_fix_expand(&key->schedule, octets);
}
