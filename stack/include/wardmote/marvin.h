/* SPDX-License-Identifier: BSD-3-Clause */
/** @file marvin.h
 *  Marvin (Simplicio, Barbuda, Barreto, Carvalho, Margi, "The MARVIN message authentication code
 *  and the LETTERSOUP authenticated encryption scheme", Security and Communication Networks 2(2),
 *  2009) over a block cipher of 12 octets that has Curupira's square-complete transform: Curupira-1
 *  or Curupira-2. A message costs two blocks of the cipher (one of them once per key) and four of
 *  its rounds for each 12 octets.
 *
 *  Tags have 4..12 octets. Their length enters the code, so a short tag is not the beginning of a
 *  long one. Published vectors have tags of 4, 8 and 12 octets, messages of at least one octet, and
 *  Curupira-1. Three things are our reading of the definition: that an empty message has no block,
 *  the tags of other lengths, and the code over Curupira-2. No branch depends on key, message or
 *  tag; addresses do, as curupira.h says. */
#ifndef WARDMOTE_MARVIN_H
#define WARDMOTE_MARVIN_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/curupira.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_MARVIN_TAG_MIN 4
#define WM_MARVIN_TAG_MAX 12

/** A key of Marvin, made once and used for any number of messages. Wipe with wm_wipe when the key
 *  is retired. Holds a pointer to the cipher's key, which must outlive it. */
typedef struct wm_marvin_key {
    const wm_cipher *cipher; /**< NULL: not derived */
    wm_block96 r;            /**< R, the mask all others follow from */
} wm_marvin_key;

/** Masked sum of the blocks of one string. Internal; here because contexts hold it. */
typedef struct wm_marvin_sum {
    wm_block96 sum;   /**< A, what the blocks so far add up to */
    wm_block96 mask;  /**< O_i of the current block */
    wm_block96 block; /**< the current block, masked */
    uint32_t octets;  /**< taken so far */
    uint8_t fill;     /**< octets taken into the current block, 0..11 */
} wm_marvin_sum;

/** State of one message. Holds a pointer into the cipher's key. */
typedef struct wm_marvin {
    const wm_cipher_ops *ops; /**< of the cipher; NULL: none */
    const void *schedule;     /**< the cipher's */
    wm_marvin_sum sum;
} wm_marvin;

/** Derives the mask with one block of the cipher.
 *  @param cipher  of a key of Curupira-1 or Curupira-2
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_PARAM   the cipher's blocks are not of 12 octets
 *  @retval WM_ERR_ENGINE  the cipher failed: marvin_key is wiped. After each, it begins no
 *                        message */
WM_NODISCARD wm_status wm_marvin_derive(wm_marvin_key *marvin_key, const wm_cipher *cipher);

/** Begins a message.
 *  @retval WM_ERR_STATE  the key was not made; ctx gives no tag */
WM_NODISCARD wm_status wm_marvin_init(wm_marvin *ctx, const wm_marvin_key *key);

/** Takes the next `len` octets of the message, which has 2^32 - 1 octets at most. */
void wm_marvin_update(wm_marvin *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes `tag_len` octets, 4..12, and wipes ctx.
 *  @retval WM_ERR_PARAM   tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE   not begun, or ended already
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag */
WM_NODISCARD wm_status wm_marvin_final(wm_marvin *ctx, uint8_t *tag, size_t tag_len);

/** Ends the message: compares with `tag` in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_PARAM     tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE     not begun, or ended already
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted */
WM_NODISCARD wm_status wm_marvin_verify(wm_marvin *ctx, const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
