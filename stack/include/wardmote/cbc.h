/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cbc.h
 *  CBC (NIST SP 800-38A §6.2) and CBC with ciphertext stealing, CBC-CS3 (addendum to SP 800-38A;
 *  RFC 2040 §8, RFC 3962 §5), over a block cipher of any block length. They encrypt and do not
 *  authenticate: never act on decrypted data before you have verified a tag over the ciphertext.
 *
 *  Everything in place, at any alignment. Encryption takes the cipher's forward function,
 *  decryption its inverse function and no other. No branch and no address of the modes depends on
 *  key, initialisation vector or data; the cipher's header says what the cipher does. */
#ifndef WARDMOTE_CBC_H
#define WARDMOTE_CBC_H

#include <stdint.h>
#include <wardmote/cipher_function.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Encrypts `len` octets, whole blocks, at `data`.
 *  @param forward,key  the cipher's forward function and its expanded key
 *  @param iv   one block; unpredictable for each message. Becomes the last block of ciphertext, so
 *              that a further call goes on with the message
 *  @param len  0..65535, a multiple of the block length
 *  @retval WM_ERR_PARAM  len is no multiple; nothing was done */
WM_NODISCARD wm_status wm_cbc_encrypt(const wm_cipher_function *forward, const void *key,
                                      uint8_t *iv, uint8_t *data, uint16_t len);

/** Decrypts `len` octets, whole blocks, at `data`; `inverse` is the cipher's inverse function.
 *  Otherwise as wm_cbc_encrypt. */
WM_NODISCARD wm_status wm_cbc_decrypt(const wm_cipher_function *inverse, const void *key,
                                      uint8_t *iv, uint8_t *data, uint16_t len);

/** Encrypts a whole message by CBC-CS3. The ciphertext is as long as the plaintext, and its last
 *  two blocks are always exchanged. One block alone is CBC.
 *  @param iv   one block; unpredictable for each message. Stays as it is
 *  @param len  from one block to 65535 octets
 *  @retval WM_ERR_PARAM  len is less than one block; nothing was done */
WM_NODISCARD wm_status wm_cbc_cs3_encrypt(const wm_cipher_function *forward, const void *key,
                                          const uint8_t *iv, uint8_t *data, uint16_t len);

/** Decrypts a whole message by CBC-CS3; `inverse` is the cipher's inverse function. Otherwise as
 *  wm_cbc_cs3_encrypt. */
WM_NODISCARD wm_status wm_cbc_cs3_decrypt(const wm_cipher_function *inverse, const void *key,
                                          const uint8_t *iv, uint8_t *data, uint16_t len);

WM_C_END

#endif
