/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ccm.h
 *  CCM and CCM* (RFC 3610; IEEE 802.15.4 Annex B) with L = 2: a 13-octet nonce and messages to
 *  65535 octets. CCM* is CCM with a tag of 0 octets allowed (encryption only).
 *
 *  Incremental: start, aad (any pieces), crypt (any pieces), then seal or open. All of a comes
 *  before any of m. While decrypting, the octets that crypt returns are not yet authentic: hold
 *  them back until wm_ccm_open_finish returns WM_OK, and wipe them otherwise. The one-shot calls do
 *  that themselves. */
#ifndef WARDMOTE_CCM_H
#define WARDMOTE_CCM_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_CCM_NONCE_LEN 13
#define WM_CCM_TAG_MAX 16

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_ccm_direction { WM_CCM_SEAL, WM_CCM_OPEN } wm_ccm_direction;

/** State of one frame. Wiped by either finish. Holds a pointer into the key, which must outlive
 *  it. */
typedef struct wm_ccm {
    const wm_cipher_ops *ops; /**< of the cipher */
    const void *schedule;     /**< the cipher's */
    wm_block128 mac;          /**< CBC-MAC chain X_i */
    wm_block128 ctr;          /**< counter block A_i */
    wm_block128 stream;       /**< keystream block S_i */
    uint16_t a_left;          /**< octets of a still to come */
    uint16_t m_left;          /**< octets of m still to come */
    uint8_t fill;             /**< octets taken into the current block, 0..15 */
    uint8_t tag_len;
    uint8_t direction;
} wm_ccm;

/** Begins a frame: computes B_0 and A_0.
 *  @param cipher   a key's, of a cipher with blocks of 16 octets: `&key.cipher`
 *  @param nonce    13 octets, never twice under one key (RFC 3610 §2.1)
 *  @param a_len    octets of associated data, 0..65279 (two-octet length form, RFC 3610 §2.2)
 *  @param m_len    octets of message, 0..65535
 *  @param tag_len  0, 4, 6, 8, 10, 12, 14 or 16; with 0, a_len must be 0 as well: nothing would
 *                  authenticate it
 *  @retval WM_ERR_PARAM   a length is out of range
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_ENGINE  the cipher failed. After each, ctx takes nothing */
WM_NODISCARD wm_status wm_ccm_start(wm_ccm *ctx, const wm_cipher *cipher, const uint8_t nonce[13],
                                    size_t a_len, size_t m_len, size_t tag_len,
                                    wm_ccm_direction direction);

/** Takes the next `len` octets of a.
 *  @retval WM_ERR_STATE   more than start announced
 *  @retval WM_ERR_ENGINE  the cipher failed: ctx is wiped */
WM_NODISCARD wm_status wm_ccm_aad(wm_ccm *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place.
 *  @retval WM_ERR_STATE   a incomplete, or more than announced
 *  @retval WM_ERR_ENGINE  the cipher failed: these octets and ctx are wiped */
WM_NODISCARD wm_status wm_ccm_crypt(wm_ccm *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes `tag_len` octets of tag and wipes ctx.
 *  @retval WM_ERR_STATE   octets missing; tag untouched
 *  @retval WM_ERR_ENGINE  the cipher failed; tag untouched, and ctx is wiped */
WM_NODISCARD wm_status wm_ccm_seal_finish(wm_ccm *ctx, uint8_t *tag);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_NOT_AUTHENTICATED  there is no tag: anybody may have written m
 *  @retval WM_ERR_SECURITY  tag wrong
 *  @retval WM_ERR_STATE     octets missing
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted, and ctx is wiped */
WM_NODISCARD wm_status wm_ccm_open_finish(wm_ccm *ctx, const uint8_t *tag);

/** Seals m in place and writes the tag, which may follow m in the same buffer. WM_ERR_PARAM,
 *  WM_ERR_STATE: m and tag untouched | WM_ERR_ENGINE: m is all zero, tag untouched. */
WM_NODISCARD wm_status wm_ccm_seal(const wm_cipher *cipher, const uint8_t nonce[13],
                                   const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                   uint8_t *tag, size_t tag_len);

/** Opens m in place. WM_OK: m is plaintext, and the tag is right | WM_NOT_AUTHENTICATED: m is
 *  decrypted, but with a tag of 0 octets anybody may have written it | WM_ERR_SECURITY,
 *  WM_ERR_ENGINE: m is all zero | WM_ERR_PARAM, WM_ERR_STATE: m untouched. */
WM_NODISCARD wm_status wm_ccm_open(const wm_cipher *cipher, const uint8_t nonce[13],
                                   const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                   const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
