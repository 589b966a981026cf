/* SPDX-License-Identifier: BSD-3-Clause */
/** @file crypt.h
 *  The block cipher of a picture's packets, in one direction: encrypt_<how>.c or decrypt_<how>.c.
 *  `none` leaves them in clear.
 *
 *  CBC hides what is sent and protects nothing: whoever changes a frame changes what comes out, and
 *  nobody notices. docs/decisions says why a study has it, and no user of the stack. */
#ifndef IMAGE_PICTURE_CRYPT_H
#define IMAGE_PICTURE_CRYPT_H

#include <wardmote/status.h>
#include <stdint.h>

/** Takes the key. */
void crypt_key(const uint8_t key[16]);

/** En- or decrypts `len` octets, whole blocks, in place. `chain` is the block before, of ciphertext,
 *  and becomes the last one. */
WM_NODISCARD wm_status crypt_blocks(uint8_t chain[16], uint8_t *data, uint8_t len);

/** The same as the node's setup block asks for: chained or not, slower or not, with its LED lit. */
WM_NODISCARD wm_status crypt_data(uint8_t chain[16], uint8_t *data, uint8_t len);

#endif
