/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ocb3.h
 *  OCB3 (RFC 7253) over a block cipher of 16 or of 12 octets: one block of the cipher for each
 *  block of the message. Opening takes a key that was made for both directions; sealing needs no
 *  inverse cipher. Over blocks of 12 octets it follows the table for 96 bits of the Internet draft "OCB
 *  for block ciphers without 128-bit blocks" (T. Krovetz); no vectors of that are published.
 *
 *  Incremental: start, aad, crypt, then seal or open. a and m each come in pieces and have less
 *  than 2^32 blocks. Every piece is whole blocks, except the last of a and the last of m. All of a
 *  comes before any of m. While decrypting, the octets that crypt returns are not yet authentic:
 *  hold them back until wm_ocb3_open_finish returns WM_OK, and wipe them otherwise. The one-shot
 *  calls do that themselves. No branch and no address of the mode depends on key, a, m or tag. The
 *  place of the bits for the first offset depends on the nonce, which is public. The cipher's
 *  header says what the cipher does. */
#ifndef WARDMOTE_OCB3_H
#define WARDMOTE_OCB3_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Least octets of a tag; the most are those of a block. */
#define WM_OCB3_TAG_MIN 4

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_ocb3_direction { WM_OCB3_SEAL = 1, WM_OCB3_OPEN = 2 } wm_ocb3_direction;

/** A key of OCB, made once and used for any number of messages. Wipe with wm_wipe when the key is
 *  retired. Holds a pointer to the cipher's key, which must outlive it. */
typedef struct wm_ocb3_key {
    const wm_cipher *cipher; /**< NULL: not derived */
    wm_block128 l_star;      /**< L_* */
    wm_block128 l_dollar;    /**< L_$ */
    wm_block128 l_0;         /**< L_0 */
} wm_ocb3_key;

/** State of one message. Holds a pointer to its key. Wiped by either finish. */
typedef struct wm_ocb3 {
    const wm_ocb3_key *key;
    const wm_cipher_ops *ops; /**< of the cipher */
    const void *schedule;     /**< the cipher's */
    wm_block128 offset;       /**< of a, then of m */
    wm_block128 first;        /**< Offset_0 of m, while a is taken in */
    wm_block128 sum;          /**< of a: HASH; xored with the tag's own block at the end */
    wm_block128 checksum;     /**< of the plaintext */
    uint32_t blocks;          /**< whole blocks so far, of a, then of m */
    uint8_t tag_len;
    uint8_t direction; /**< 0 once the message is finished */
    uint8_t phase;     /**< 0 in a, 1 behind its end, 2 in m, 3 behind its end */
    uint8_t block_octets;
} wm_ocb3;

/** Makes a key with one block of the cipher (RFC 7253 §4.1).
 *  @param cipher  a key's: `&key.cipher`
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_PARAM   the cipher's blocks are of other lengths
 *  @retval WM_ERR_ENGINE  the cipher failed: ocb_key is wiped. After each, it begins no message */
WM_NODISCARD wm_status wm_ocb3_derive(wm_ocb3_key *ocb_key, const wm_cipher *cipher);

/** Begins a message.
 *  @param nonce    nonce_len octets, from 1 to one less than a block, never twice under one key
 *  @param tag_len  from 4 to a block: part of what the tag protects
 *  @retval WM_ERR_PARAM   a length is out of range, or opening with a key that only encrypts
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_ENGINE  the cipher failed. After each, ctx takes nothing */
WM_NODISCARD wm_status wm_ocb3_start(wm_ocb3 *ctx, const wm_ocb3_key *key, const uint8_t *nonce,
                                     size_t nonce_len, size_t tag_len, wm_ocb3_direction direction);

/** Takes the next `len` octets of a; less than whole blocks end a.
 *  @retval WM_ERR_STATE   a has ended, or the message is finished; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: ctx is wiped */
WM_NODISCARD wm_status wm_ocb3_aad(wm_ocb3 *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place; less than whole blocks end m.
 *  @retval WM_ERR_STATE   m has ended, or the message is finished; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: these octets and ctx are wiped */
WM_NODISCARD wm_status wm_ocb3_crypt(wm_ocb3 *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes the tag and wipes ctx.
 *  @retval WM_ERR_STATE   not sealing; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag, and ctx is wiped */
WM_NODISCARD wm_status wm_ocb3_seal_finish(wm_ocb3 *ctx, uint8_t *tag);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_STATE     not opening; nothing was done
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted, and ctx is wiped */
WM_NODISCARD wm_status wm_ocb3_open_finish(wm_ocb3 *ctx, const uint8_t *tag);

/** Seals m in place and writes the tag, which may follow m in the same buffer.
 *  @retval WM_ERR_PARAM, WM_ERR_STATE  m is untouched
 *  @retval WM_ERR_ENGINE               m is all zero; there is no tag */
WM_NODISCARD wm_status wm_ocb3_seal(const wm_ocb3_key *key, const uint8_t *nonce, size_t nonce_len,
                                    const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                    uint8_t *tag, size_t tag_len);

/** Opens m in place. WM_OK: m is plaintext | WM_ERR_SECURITY, WM_ERR_ENGINE: m is all zero |
 *  WM_ERR_PARAM, WM_ERR_STATE: m is untouched. */
WM_NODISCARD wm_status wm_ocb3_open(const wm_ocb3_key *key, const uint8_t *nonce, size_t nonce_len,
                                    const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                    const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
