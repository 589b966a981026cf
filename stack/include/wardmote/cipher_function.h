/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cipher_function.h
 *  What a mode needs to know of a block cipher of any block length up to 16 octets: one function
 *  with its key, either the forward cipher function CIPH_K or the inverse (SP 800-38A §4.2). Each
 *  is a descriptor of its own, so that an image that never decrypts blocks (CTR, CMAC, EAX) carries
 *  no inverse cipher, and none that it does not name. */
#ifndef WARDMOTE_CIPHER_FUNCTION_H
#define WARDMOTE_CIPHER_FUNCTION_H

#include <stdint.h>
#include <wardmote/block128.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Most octets of a block. */
#define WM_BLOCK_MAX 16

/** A block cipher in one direction. */
typedef struct wm_cipher_function {
    const char *name; /**< "aes128-small", "skipjack inverse" */
    /** Applies the function to the first `block_octets` octets of `block` in place; `key` is the
     *  cipher's expanded key. A block shorter than 16 octets leaves the rest of the union alone. */
    void (*apply)(const void *key, wm_block128 *block);
    uint8_t block_octets; /**< b / 8: 8, 12 or 16 */
} wm_cipher_function;

WM_C_END

#endif
