/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cipher.h
 *  The block cipher of an image: cipher_skipjack.c or cipher_rc5.c. */
#ifndef FIRMWARE_TINYSEC_CIPHER_H
#define FIRMWARE_TINYSEC_CIPHER_H

#include <stdint.h>
#include <wardmote/cipher.h>

#define CIPHER_KEY_OCTETS 8u /**< of a key in TinySec, whatever the cipher */

/** Which of a node's two keys. */
typedef enum cipher_use { CIPHER_ENCRYPTION, CIPHER_MAC, CIPHER_USES } cipher_use;

/** Makes a key for both directions. NULL if the cipher takes no such key. */
const wm_cipher *cipher_make(cipher_use use, const uint8_t octets[CIPHER_KEY_OCTETS]);

#endif
