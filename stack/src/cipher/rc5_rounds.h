/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of RC5 that take most of the time, beside wm_rc5_encrypt and wm_rc5_decrypt. */
#ifndef WM_CIPHER_RC5_ROUNDS_H
#define WM_CIPHER_RC5_ROUNDS_H

#include <stdint.h>
#include <wardmote/rc5.h>

#define WM_RC5_WORDS (2 * (WM_RC5_ROUNDS + 1)) /* of S */

/* Mixes the words of the key, L (c = 1..4 of them), into those of S: three times through the longer
 * of the two. */
void wm_rc5_mix(uint32_t s[WM_RC5_WORDS], uint32_t *l, uint8_t c);

#endif
