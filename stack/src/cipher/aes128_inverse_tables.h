/* SPDX-License-Identifier: BSD-3-Clause */
/* The four tables of aes128_inverse_tab.c: entry x of wm_aes128_<f>s_<g>s is (f s, g s) in memory
 * order, s the inverse S-box of x. In an image only where `tab` decrypts. */
#ifndef WM_CIPHER_AES128_INVERSE_TABLES_H
#define WM_CIPHER_AES128_INVERSE_TABLES_H

#include <stdint.h>

extern const uint16_t wm_aes128_14s_9s[256];
extern const uint16_t wm_aes128_13s_11s[256];
extern const uint16_t wm_aes128_11s_14s[256];
extern const uint16_t wm_aes128_9s_13s[256];

#endif
