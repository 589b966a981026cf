/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 for modes of any block length. Each entry goes on to the variant's own, which may be
 * assembly. Names are objects of their own: an image holds those of the entries it names, where it
 * would hold all string literals. */
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

static void tab_inverse(const void *key, wm_block128 *block)
{
    wm_aes128_tab_decrypt(key, block);
}

static void fix_forward(const void *key, wm_block128 *block)
{
    wm_aes128_fix_encrypt(key, block);
}

static const char small_forward_name[] = "aes128-small";
static const char small_inverse_name[] = "aes128-small inverse";
static const char tab_forward_name[] = "aes128-tab";
static const char tab_inverse_name[] = "aes128-tab inverse";
static const char fix_forward_name[] = "aes128-fix";

const wm_cipher_function wm_aes128_small_forward = {small_forward_name, small_forward, 16};
const wm_cipher_function wm_aes128_small_inverse = {small_inverse_name, small_inverse, 16};
const wm_cipher_function wm_aes128_tab_forward = {tab_forward_name, tab_forward, 16};
const wm_cipher_function wm_aes128_tab_inverse = {tab_inverse_name, tab_inverse, 16};
const wm_cipher_function wm_aes128_fix_forward = {fix_forward_name, fix_forward, 16};
