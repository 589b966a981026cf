/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse AES S-box: in an image only where blocks are decrypted. */
#ifndef WM_CIPHER_AES128_INVERSE_SBOX_H
#define WM_CIPHER_AES128_INVERSE_SBOX_H

#include <stdint.h>

extern const uint8_t wm_aes128_inverse_sbox[256];

#endif
