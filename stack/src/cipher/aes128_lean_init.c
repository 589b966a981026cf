/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of AES-128 `lean`, for the modes. */
#include "aes128_forward.h"

WM_CIPHER_KEY_CHECK(wm_aes128_lean_key);

static void rekey(void *schedule, const uint8_t octets[16])
{
    uint8_t *to = schedule;
    for (uint8_t left = 16; left != 0; left--) {
        *to++ = *octets++;
    }
}

static const wm_cipher_ops ops = {
    .encrypt = wm_aes128_lean_forward, .rekey = rekey, .block_octets = 16};

void wm_aes128_lean_init(wm_aes128_lean_key *key, const uint8_t octets[16])
{
    key->cipher.ops = &ops;
    rekey(&key->schedule, octets);
}
