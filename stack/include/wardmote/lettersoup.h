/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lettersoup.h
 *  LetterSoup (Simplicio, Barbuda, Barreto, Carvalho, Margi, "The MARVIN message authentication
 *  code and the LETTERSOUP authenticated encryption scheme", Security and Communication Networks
 *  2(2), 2009): authenticated encryption over a block cipher of 12 octets that has Curupira's
 *  square-complete transform, Curupira-1 or Curupira-2.
 *
 *  Incremental: start, aad (any pieces), crypt (any pieces), then seal or open. All of a comes
 *  before any of m. While decrypting, the octets that crypt returns are not yet authentic: hold
 *  them back until wm_lettersoup_open_finish returns WM_OK, and wipe them otherwise. The one-shot
 *  calls do that themselves.
 *
 *  A nonce is a whole block; put zeros before a shorter one. Never use a nonce twice under one key.
 *  Avoid two nonces: with all zeros, the masks of a and m are the same; with eleven zeros and 0x2a,
 *  the mask is that of wm_marvin under the same key. Tags have 4..12 octets. Their length enters
 *  the code, so a short tag is not the beginning of a long one. Published vectors have tags of 4, 8
 *  and 12 octets, messages of at least one octet, and Curupira-1. Three things are our reading of
 *  the definition: that an empty message has no block, the tags of other lengths, and the scheme
 *  over Curupira-2. No branch depends on key, nonce, data or tag; addresses do, as curupira.h
 *  says. */
#ifndef WARDMOTE_LETTERSOUP_H
#define WARDMOTE_LETTERSOUP_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/marvin.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_LETTERSOUP_NONCE_LEN 12

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_lettersoup_direction {
    WM_LETTERSOUP_SEAL,
    WM_LETTERSOUP_OPEN
} wm_lettersoup_direction;

/** State of one message. Wiped by either finish. Holds a pointer into the cipher's key, which must
 *  outlive it. */
typedef struct wm_lettersoup {
    const wm_cipher_ops *ops; /**< of the cipher */
    const void *schedule;     /**< the cipher's */
    wm_marvin_sum sum;        /**< of a, then of the ciphertext */
    wm_block96 r;             /**< R, the mask that the nonce gives */
    wm_block128 stream;       /**< keystream of the current block */
    uint8_t tag_len;
    uint8_t phase; /**< 0: finished; else how far the message is */
    uint8_t direction;
} wm_lettersoup;

/** Begins a message, with one block of the cipher.
 *  @param cipher   of a key of Curupira-1 or Curupira-2
 *  @param nonce    12 octets
 *  @param tag_len  4..12
 *  @retval WM_ERR_PARAM   tag_len is out of range, or the cipher's blocks are not of 12 octets
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_ENGINE  the cipher failed. After each, ctx takes nothing */
WM_NODISCARD wm_status wm_lettersoup_start(wm_lettersoup *ctx, const wm_cipher *cipher,
                                           const uint8_t nonce[12], size_t tag_len,
                                           wm_lettersoup_direction direction);

/** Takes the next `len` octets of a. The first costs a block of the cipher.
 *  @retval WM_ERR_STATE   m has begun, or the context is finished; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: ctx is wiped */
WM_NODISCARD wm_status wm_lettersoup_aad(wm_lettersoup *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place.
 *  @retval WM_ERR_STATE   the context is finished; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: these octets and ctx are wiped */
WM_NODISCARD wm_status wm_lettersoup_crypt(wm_lettersoup *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes `tag_len` octets of tag and wipes ctx.
 *  @retval WM_ERR_STATE  the context is finished or was begun to open; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag, and ctx is wiped */
WM_NODISCARD wm_status wm_lettersoup_seal_finish(wm_lettersoup *ctx, uint8_t *tag);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_STATE     the context is finished or was begun to seal; nothing was done
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted, and ctx is wiped */
WM_NODISCARD wm_status wm_lettersoup_open_finish(wm_lettersoup *ctx, const uint8_t *tag);

/** Seals m in place and writes the tag, which may follow m in the same buffer.
 *  @retval WM_ERR_PARAM, WM_ERR_STATE  as wm_lettersoup_start; m and tag are untouched
 *  @retval WM_ERR_ENGINE               m is all zero; there is no tag */
WM_NODISCARD wm_status wm_lettersoup_seal(const wm_cipher *cipher, const uint8_t nonce[12],
                                          const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                          uint8_t *tag, size_t tag_len);

/** Opens m in place. WM_OK: m is plaintext | WM_ERR_SECURITY, WM_ERR_ENGINE: m is all zero |
 *  WM_ERR_PARAM, WM_ERR_STATE: m is untouched. */
WM_NODISCARD wm_status wm_lettersoup_open(const wm_cipher *cipher, const uint8_t nonce[12],
                                          const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                          const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
