/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ctr.h
 *  CTR (NIST SP 800-38A §6.5) over a block cipher of any block length. It encrypts and does not
 *  authenticate: an attacker who changes a bit of the ciphertext changes that bit of the plaintext.
 *
 *  The counter is the whole block as a big-endian number (§B.1 with m = b). No branch and no
 *  address of its own depends on key, keystream or data; how far a carry goes depends on the
 *  counter, which is public. */
#ifndef WARDMOTE_CTR_H
#define WARDMOTE_CTR_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** State of one message. Holds a pointer into the key, which must outlive it. Wipe with wm_wipe when
 *  the message is done. */
typedef struct wm_ctr {
    const wm_cipher_ops *ops; /**< of the cipher; NULL: none */
    const void *schedule;     /**< the cipher's */
    wm_block128 counter;      /**< of the block to come */
    wm_block128 stream;       /**< keystream block */
    uint8_t used;             /**< octets of it that are used: all, before the first */
} wm_ctr;

/** Begins a message.
 *  @param cipher   a key's: `&key.cipher`
 *  @param counter  first counter block; no counter block may ever come twice under one key
 *  @retval WM_ERR_STATE  the key was not made; ctx takes no data */
WM_NODISCARD wm_status wm_ctr_init(wm_ctr *ctx, const wm_cipher *cipher, const uint8_t *counter);

/** Takes the exclusive or of the next `len` octets of keystream into `data`: encrypts
 *  and decrypts. Any alignment; pieces of any length.
 *  @retval WM_ERR_STATE   no message was begun; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: data and ctx are wiped */
WM_NODISCARD wm_status wm_ctr_crypt(wm_ctr *ctx, uint8_t *data, size_t len);

WM_C_END

#endif
