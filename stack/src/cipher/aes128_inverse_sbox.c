/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse AES S-box.
 * References: FIPS 197 §5.3.2, figure 14. Every value is compared with the S-box by
 * tests/stack/cipher. */
#include "aes128_inverse_sbox.h"
#include "aes128_inverse_sbox_values.h"

#define VALUE(s) s,

const uint8_t wm_aes128_inverse_sbox[256] = {INVERSE_SBOX(VALUE)};
