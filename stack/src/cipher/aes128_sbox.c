/* SPDX-License-Identifier: BSD-3-Clause */
/* AES S-box.
 * References: FIPS 197 §5.1.1, figure 7. Every value is recomputed by tests/stack/cipher from
 * the field inverse. */
#include "aes128_sbox.h"
#include "aes128_sbox_values.h"

#define VALUE(s) s,

const uint8_t wm_aes128_sbox[256] = {SBOX(VALUE)};
