/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ccm_parts.h
 *  CCM* (ccm.h, L = 2) in its two parts, for a caller that works on a frame before all of it is
 *  there: the keystream, which needs key and nonce only, and the CBC-MAC, one block at a time. Both
 *  parts together give what wm_ccm_seal gives:
 *
 *      ciphertext = m xor S_1 | S_2 | ...      tag = CBC-MAC of a and m, xor S_0
 *
 *  Nothing here knows whether a keystream was used before or a tag is right: that is the caller's.
 *  Wipe both with wm_wipe. */
#ifndef WARDMOTE_CCM_PARTS_H
#define WARDMOTE_CCM_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Makes S_`number`: of one nonce of 13 octets and one key, a block of AES.
 *  @param cipher  a key's, of a cipher with blocks of 16 octets
 *  @retval WM_ERR_STATE   the key was not made; the block is zero
 *  @retval WM_ERR_ENGINE  the cipher failed; the block is zero */
WM_NODISCARD wm_status wm_ccm_keystream(const wm_cipher *cipher, const uint8_t nonce[13],
                                        uint16_t number, wm_block128 *block);

/** CBC-MAC of one frame. */
typedef struct wm_ccm_mac {
    wm_block128 x;   /**< X_i, xored with the first `fill` octets of B_i */
    uint16_t a_left; /**< octets of a still to come */
    uint16_t m_left; /**< octets of m still to come */
    uint8_t fill;    /**< octets taken into the block, 0..16 */
    bool full;       /**< the block waits for wm_ccm_mac_step */
    bool has_a;      /**< the length of a, which `x` does not hold yet, comes after B_0 */
    uint8_t a_octets[2];
} wm_ccm_mac;

/** Begins a frame with B_0, which waits for its step. Encrypts nothing.
 *  @param a_len    octets of associated data, 0..65279
 *  @param tag_len  4, 6, 8, 10, 12, 14 or 16 */
void wm_ccm_mac_start(wm_ccm_mac *mac, const uint8_t nonce[13], uint16_t a_len, uint16_t m_len,
                      uint8_t tag_len);

/** Takes octets of a, then of m in clear, up to the end of a block, or of a. Octets that are too many
 *  are not taken; nor is any while a block waits for its step.
 *  @return  octets taken, 0..`len` */
uint8_t wm_ccm_mac_take(wm_ccm_mac *mac, const uint8_t *octets, uint16_t len);

/** Encrypts the block that waits, if one does.
 *  @retval WM_ERR_STATE   the key was not made; nothing changed
 *  @retval WM_ERR_ENGINE  the cipher failed; the CBC-MAC is wiped */
WM_NODISCARD wm_status wm_ccm_mac_step(wm_ccm_mac *mac, const wm_cipher *cipher);

/** Whether all of a and m is in, so that `x` is the CBC-MAC. */
static inline bool wm_ccm_mac_done(const wm_ccm_mac *mac)
{
    return !mac->full && (mac->a_left | mac->m_left) == 0;
}

WM_C_END

#endif
