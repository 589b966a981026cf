/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cmac.h
 *  CMAC (NIST SP 800-38B; with AES-128 it is RFC 4493) over a block cipher of 8, 12 or 16 octets,
 *  for messages of any length. SP 800-38B has blocks of 8 and 16; for 12 the subkeys are made
 *  modulo x^96 + x^10 + x^9 + x^6 + 1, by the rule that gives its two polynomials.
 *
 *  A tag is the leftmost octets of a block, at least 4; SP 800-38B A.2 warns of tags below 8. Over
 *  blocks of 8 octets a key may serve only few messages (Appendix B). No branch and no address of
 *  the mode depends on key, message or tag; the cipher's header says what the cipher does. */
#ifndef WARDMOTE_CMAC_H
#define WARDMOTE_CMAC_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cbc_mac.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** A key of CMAC, made once and used for any number of messages. Wipe with wm_wipe when the key is
 *  retired. Holds a pointer to the cipher's key, which must outlive it. */
typedef struct wm_cmac_key {
    const wm_cipher *cipher; /**< NULL: not derived */
    wm_block128 k1;          /**< subkey K1; K2 follows from it */
} wm_cmac_key;

/** State of one message. Holds a pointer to its key. */
typedef struct wm_cmac {
    const wm_cmac_key *key;
    wm_cbc_mac mac;
} wm_cmac;

/** Derives the subkey with one block of the cipher (SP 800-38B §6.1).
 *  @param cipher  a key's: `&key.cipher`
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_ENGINE  the cipher failed: cmac_key is wiped. After either, it begins no message */
WM_NODISCARD wm_status wm_cmac_derive(wm_cmac_key *cmac_key, const wm_cipher *cipher);

/** Begins a message.
 *  @retval WM_ERR_STATE  the key was not made; ctx gives no tag */
WM_NODISCARD wm_status wm_cmac_init(wm_cmac *ctx, const wm_cmac_key *key);

/** Takes the next `len` octets of the message; none after its end. */
void wm_cmac_update(wm_cmac *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes `tag_len` octets, from 4 to a block, and wipes ctx.
 *  @retval WM_ERR_PARAM   tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE   not begun, or ended already
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag, and ctx is wiped */
WM_NODISCARD wm_status wm_cmac_final(wm_cmac *ctx, uint8_t *tag, size_t tag_len);

/** Ends the message: compares with `tag` in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_PARAM     tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE     not begun, or ended already
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted, and ctx is wiped */
WM_NODISCARD wm_status wm_cmac_verify(wm_cmac *ctx, const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
