/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the `tab` variant: the S-box and the products of its values that MixColumns needs.
 * References: FIPS 197 §4.2, §5.1.1, §5.1.3. */
#include "aes128_tables.h"
#include "aes128_products.h"
#include "aes128_sbox_values.h"

#define X3(s) (X2(s) ^ (s))

#define ENTRY_2S_S(s) HALF(X2(s), s),
#define ENTRY_S_3S(s) HALF(s, X3(s)),
#define ENTRY_3S_2S(s) HALF(X3(s), X2(s)),
#define ENTRY_S_S(s) HALF(s, s),

const uint16_t wm_aes128_2s_s[256] = {SBOX(ENTRY_2S_S)};
const uint16_t wm_aes128_s_3s[256] = {SBOX(ENTRY_S_3S)};
const uint16_t wm_aes128_3s_2s[256] = {SBOX(ENTRY_3S_2S)};
const uint16_t wm_aes128_s_s[256] = {SBOX(ENTRY_S_S)};
