/* SPDX-License-Identifier: BSD-3-Clause */
/** @file eax.h
 *  EAX (M. Bellare, P. Rogaway, D. Wagner, "The EAX mode of operation", FSE 2004) over a block
 *  cipher of 8, 12 or 16 octets, which it takes in the encryption direction only: nonces,
 *  associated data and messages of any length. The counter is the whole block. CMAC over blocks of
 *  12 octets: cmac.h.
 *
 *  Incremental: start, aad (any pieces), crypt (any pieces), then seal or open. All of a comes
 *  before any of m; no length is announced. While decrypting, the octets that crypt returns are not
 *  yet authentic: hold them back until wm_eax_open_finish returns WM_OK, and wipe them otherwise.
 *  The one-shot calls do that themselves. No branch and no address of the mode depends on key, a, m
 *  or tag; the cipher's header says what the cipher does. */
#ifndef WARDMOTE_EAX_H
#define WARDMOTE_EAX_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cmac.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Least octets of a tag; the most are those of a block. */
#define WM_EAX_TAG_MIN 4

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_eax_direction { WM_EAX_SEAL = 1, WM_EAX_OPEN = 2 } wm_eax_direction;

/** State of one message. Holds pointers to the key of CMAC, so that and what it points to must
 *  outlive it. Wiped by either finish. */
typedef struct wm_eax {
    const wm_cmac_key *key;
    wm_cmac mac;         /**< OMAC^1 of a, then OMAC^2 of the ciphertext */
    wm_block128 tag;     /**< the OMACs that are done, xored */
    wm_block128 counter; /**< of the keystream block to come */
    wm_block128 stream;  /**< keystream block */
    uint8_t used;        /**< octets of it that are used */
    uint8_t direction;   /**< 0 once the message is finished */
    uint8_t in_message;  /**< whether a is complete */
    uint8_t block_octets;
} wm_eax;

/** Begins a message.
 *  @param key    made by wm_cmac_derive, once per key of the cipher
 *  @param nonce  nonce_len octets, never twice under one key
 *  @retval WM_ERR_STATE   the key was not made; ctx takes nothing
 *  @retval WM_ERR_ENGINE  the cipher failed: ctx is wiped */
WM_NODISCARD wm_status wm_eax_start(wm_eax *ctx, const wm_cmac_key *key, const uint8_t *nonce,
                                    size_t nonce_len, wm_eax_direction direction);

/** Takes the next `len` octets of a.
 *  @retval WM_ERR_STATE  m has begun, or the message is finished; nothing was done */
WM_NODISCARD wm_status wm_eax_aad(wm_eax *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place.
 *  @retval WM_ERR_STATE   the message is finished
 *  @retval WM_ERR_ENGINE  the cipher failed: these octets and ctx are wiped */
WM_NODISCARD wm_status wm_eax_crypt(wm_eax *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes `tag_len` octets of tag, from 4 to a block, and wipes ctx.
 *  @retval WM_ERR_PARAM   tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE   not sealing
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag, and ctx is wiped */
WM_NODISCARD wm_status wm_eax_seal_finish(wm_eax *ctx, uint8_t *tag, size_t tag_len);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_PARAM     tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE     not opening
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted, and ctx is wiped */
WM_NODISCARD wm_status wm_eax_open_finish(wm_eax *ctx, const uint8_t *tag, size_t tag_len);

/** Seals m in place and writes the tag, which may follow m in the same buffer.
 *  @retval WM_ERR_PARAM, WM_ERR_STATE  m is untouched
 *  @retval WM_ERR_ENGINE               m is all zero; there is no tag */
WM_NODISCARD wm_status wm_eax_seal(const wm_cmac_key *key, const uint8_t *nonce, size_t nonce_len,
                                   const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                   uint8_t *tag, size_t tag_len);

/** Opens m in place. WM_OK: m is plaintext | WM_ERR_SECURITY, WM_ERR_ENGINE: m is all zero |
 *  WM_ERR_PARAM, WM_ERR_STATE: m is untouched. */
WM_NODISCARD wm_status wm_eax_open(const wm_cmac_key *key, const uint8_t *nonce, size_t nonce_len,
                                   const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                   const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
