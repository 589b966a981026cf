/* SPDX-License-Identifier: BSD-3-Clause */
/* The AES S-box, shared by key expansion and both variants so that an image holds it once. */
#ifndef WM_CIPHER_AES128_SBOX_H
#define WM_CIPHER_AES128_SBOX_H

#include <stdint.h>

extern const uint8_t wm_aes128_sbox[256];

#endif
