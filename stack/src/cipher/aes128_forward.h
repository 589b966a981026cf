/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants' encryption as wm_cipher_ops wants it: other names of wm_aes128_tab_encrypt and so
 * on, so that no call of a mode goes a way round. */
#ifndef WM_CIPHER_AES128_FORWARD_H
#define WM_CIPHER_AES128_FORWARD_H

#include <wardmote/aes128.h>

void wm_aes128_tab_forward(const void *schedule, wm_block128 *block);
void wm_aes128_small_forward(const void *schedule, wm_block128 *block);
void wm_aes128_lean_forward(const void *schedule, wm_block128 *block);
void wm_aes128_fix_forward(const void *schedule, wm_block128 *block);
void wm_aes128_fix_forward2(const void *schedule, wm_block128 *first, wm_block128 *second);

/** `tab` as the `chain` of wm_cipher_ops. */
void wm_aes128_tab_chain(const void *schedule, wm_block128 *chain, const wm_block128 *data,
                         size_t blocks);

/** What a key of `tab` has there: the way pays where the chain stays in registers. The AVR and
 *  ARMv7-M have no assembly of it, and by C it saves them nothing. The small form never takes it. */
#if defined(__AVR__) || defined(__ARM_ARCH) || defined(WM_FORM_SMALL)
#define WM_AES128_TAB_CHAIN NULL
#else
#define WM_AES128_TAB_CHAIN wm_aes128_tab_chain
#endif

/* rekey of every variant whose schedule begins with a wm_aes128. */
static inline void wm_aes128_rekey(void *schedule, const uint8_t key[16])
{
    wm_aes128_expand(schedule, key);
}

#endif
