/* SPDX-License-Identifier: BSD-3-Clause */
/** @file decrypt_by.h
 *  crypt.h by a variant of the stack's AES that only decrypts. A key of the stack for both directions
 *  would bring the forward cipher into the image. */
#ifndef IMAGE_PICTURE_DECRYPT_BY_H
#define IMAGE_PICTURE_DECRYPT_BY_H

#include <wardmote/aes128.h>
#include <wardmote/cbc.h>
#include "crypt.h"

#define DECRYPT_BY(variant, expanded, expand)                                                      \
    typedef struct one_way_key {                                                                   \
        wm_cipher cipher;                                                                          \
        expanded schedule;                                                                         \
    } one_way_key;                                                                                 \
    WM_CIPHER_KEY_CHECK(one_way_key);                                                              \
    static one_way_key key;                                                                        \
    static void inverse(const void *schedule, wm_block128 *block)                                  \
    {                                                                                              \
        wm_aes128_##variant##_decrypt(schedule, block);                                            \
    }                                                                                              \
    static const wm_cipher_ops ops = {.decrypt = inverse, .block_octets = 16};                     \
    void crypt_key(const uint8_t octets[16])                                                       \
    {                                                                                              \
        key.cipher.ops = &ops;                                                                     \
        expand(&key.schedule, octets);                                                             \
    }                                                                                              \
    wm_status crypt_blocks(uint8_t chain[16], uint8_t *data, uint8_t len)                          \
    {                                                                                              \
        return wm_cbc_decrypt(&key.cipher, chain, data, len);                                      \
    }                                                                                              \
    _Static_assert(sizeof key != 0, "a definition, for the semicolon")

#endif
