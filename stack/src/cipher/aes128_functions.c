/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 for modes of any block length. Each entry goes on to the variant's own, which may be assembly. */
#include <wardmote/aes128.h>
#include <wardmote/cipher_function.h>

static void small_forward(const void *key, wm_block128 *block)
{
    wm_aes128_small_encrypt(key, block);
}

static void small_inverse(const void *key, wm_block128 *block)
{
    wm_aes128_small_decrypt(key, block);
}

static void tab_forward(const void *key, wm_block128 *block)
{
    wm_aes128_tab_encrypt(key, block);
}

static void fix_forward(const void *key, wm_block128 *block)
{
    wm_aes128_fix_encrypt(key, block);
}

const wm_cipher_function wm_aes128_small_forward = {"aes128-small", small_forward, 16};
const wm_cipher_function wm_aes128_small_inverse = {"aes128-small inverse", small_inverse, 16};
const wm_cipher_function wm_aes128_tab_forward = {"aes128-tab", tab_forward, 16};
const wm_cipher_function wm_aes128_fix_forward = {"aes128-fix", fix_forward, 16};
