/* SPDX-License-Identifier: BSD-3-Clause */
/** @file functions.h
 *  What modes take of a cipher: both ways as descriptors. */
#ifndef WM_CIPHER_FUNCTIONS_H
#define WM_CIPHER_FUNCTIONS_H

#include <wardmote/cipher_function.h>

/** Defines `cipher`_forward and `cipher`_inverse, whose `key` is the expanded key of
 *  `cipher`_encrypt and `cipher`_decrypt. `name` is a literal. */
#define WM_CIPHER_FUNCTIONS(cipher, name, octets)                                                  \
    static void cipher##_forward_of(const void *key, wm_block128 *block)                           \
    {                                                                                              \
        cipher##_encrypt(key, block->octet);                                                       \
    }                                                                                              \
    static void cipher##_inverse_of(const void *key, wm_block128 *block)                           \
    {                                                                                              \
        cipher##_decrypt(key, block->octet);                                                       \
    }                                                                                              \
    const wm_cipher_function cipher##_forward = {name, cipher##_forward_of, octets};               \
    const wm_cipher_function cipher##_inverse = {name " inverse", cipher##_inverse_of, octets};

#endif
