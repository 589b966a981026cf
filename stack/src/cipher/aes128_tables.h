/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the `tab` variant, for its C and its assembly. Entry x holds two octets in memory
 * order, multiples of the S-box's value s at x: wm_aes128_3s_2s has 3s first, 2s second. */
#ifndef WM_CIPHER_AES128_TABLES_H
#define WM_CIPHER_AES128_TABLES_H

#include <stdint.h>

extern const uint16_t wm_aes128_2s_s[256];
extern const uint16_t wm_aes128_s_3s[256];
extern const uint16_t wm_aes128_3s_2s[256];
extern const uint16_t wm_aes128_s_s[256];

#endif
