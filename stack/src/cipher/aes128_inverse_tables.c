/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the `tab` variant of decryption: the products of the inverse S-box's values that
 * InvMixColumns needs.
 * References: FIPS 197 §4.2, §5.3.2, §5.3.3. */
#include "aes128_inverse_tables.h"
#include "aes128_products.h"
#include "aes128_inverse_sbox_values.h"

#define X4(s) X2(X2(s))
#define X8(s) X2(X4(s))
#define X9(s) (X8(s) ^ (s))
#define X11(s) (X9(s) ^ X2(s))
#define X13(s) (X9(s) ^ X4(s))
#define X14(s) (X8(s) ^ X4(s) ^ X2(s))

#define ENTRY_14S_9S(s) HALF(X14(s), X9(s)),
#define ENTRY_13S_11S(s) HALF(X13(s), X11(s)),
#define ENTRY_11S_14S(s) HALF(X11(s), X14(s)),
#define ENTRY_9S_13S(s) HALF(X9(s), X13(s)),

const uint16_t wm_aes128_14s_9s[256] = {INVERSE_SBOX(ENTRY_14S_9S)};
const uint16_t wm_aes128_13s_11s[256] = {INVERSE_SBOX(ENTRY_13S_11S)};
const uint16_t wm_aes128_11s_14s[256] = {INVERSE_SBOX(ENTRY_11S_14S)};
const uint16_t wm_aes128_9s_13s[256] = {INVERSE_SBOX(ENTRY_9S_13S)};
