/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack's table F, shared by both variants so that an image holds it once. */
#ifndef WM_CIPHER_SKIPJACK_F_H
#define WM_CIPHER_SKIPJACK_F_H

#include <stdint.h>
#include <wardmote/skipjack.h>

extern const uint8_t wm_skipjack_f[256];

#endif
