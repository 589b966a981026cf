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

#include <stdint.h>
#include <wardmote/cipher_function.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** State of one message. Holds pointers to the cipher and key, so both must outlive it. Wipe with
 *  wm_wipe when the message is done. */
typedef struct wm_ctr {
    const wm_cipher_function *forward;
    const void *key;
    wm_block128 counter; /**< of the block to come */
    wm_block128 stream;  /**< keystream block */
    uint8_t used;        /**< octets of it that are used: all, before the first */
} wm_ctr;

/** Begins a message.
 *  @param forward,key  the cipher's forward function and its expanded key
 *  @param counter      first counter block; no counter block may ever come twice under one key */
void wm_ctr_init(wm_ctr *ctx, const wm_cipher_function *forward, const void *key,
                 const uint8_t *counter);

/** Takes the exclusive or of the next `len` octets (0..65535) of keystream into `data`: encrypts
 *  and decrypts. Any alignment; pieces of any length. */
void wm_ctr_crypt(wm_ctr *ctx, uint8_t *data, uint16_t len);

WM_C_END

#endif
