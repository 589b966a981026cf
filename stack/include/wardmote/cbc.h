/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cbc.h
 *  CBC (NIST SP 800-38A §6.2) and CBC with ciphertext stealing, CBC-CS3 (addendum to SP 800-38A;
 *  RFC 2040 §8, RFC 3962 §5), over a block cipher of any block length. They encrypt and do not
 *  authenticate: never act on decrypted data before you have verified a tag over the ciphertext.
 *
 *  Everything in place, at any alignment. Decryption takes a key that was made for both directions.
 *  No branch and no address of the modes depends on
 *  key, initialisation vector or data; the cipher's header says what the cipher does. */
#ifndef WARDMOTE_CBC_H
#define WARDMOTE_CBC_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Encrypts `len` octets, whole blocks, at `data`.
 *  @param cipher  a key's: `&key.cipher`
 *  @param iv      one block; unpredictable for each message. Becomes the last block of ciphertext, so
 *                 that a further call goes on with the message
 *  @param len     a multiple of the block length
 *  @retval WM_ERR_PARAM   len is no multiple; nothing was done
 *  @retval WM_ERR_STATE   the key was not made; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: data and iv are wiped */
WM_NODISCARD wm_status wm_cbc_encrypt(const wm_cipher *cipher, uint8_t *iv, uint8_t *data,
                                      size_t len);

/** Decrypts `len` octets, whole blocks, at `data`.
 *  @retval WM_ERR_PARAM   len is no multiple, or the key only encrypts; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: data is wiped
 *  Otherwise as wm_cbc_encrypt. */
WM_NODISCARD wm_status wm_cbc_decrypt(const wm_cipher *cipher, uint8_t *iv, uint8_t *data,
                                      size_t len);

/** Encrypts a whole message by CBC-CS3. The ciphertext is as long as the plaintext, and its last
 *  two blocks are always exchanged. One block alone is CBC.
 *  @param iv      one block; unpredictable for each message. Stays as it is
 *  @param len     at least one block
 *  @retval WM_ERR_PARAM   len is less than one block; nothing was done
 *  @retval WM_ERR_ENGINE  the cipher failed: data is wiped
 *  Otherwise as wm_cbc_encrypt. */
WM_NODISCARD wm_status wm_cbc_cs3_encrypt(const wm_cipher *cipher, const uint8_t *iv, uint8_t *data,
                                          size_t len);

/** Decrypts a whole message by CBC-CS3.
 *  @retval WM_ERR_PARAM  len is less than one block, or the key only encrypts; nothing was done
 *  Otherwise as wm_cbc_cs3_encrypt. */
WM_NODISCARD wm_status wm_cbc_cs3_decrypt(const wm_cipher *cipher, const uint8_t *iv, uint8_t *data,
                                          size_t len);

WM_C_END

#endif
