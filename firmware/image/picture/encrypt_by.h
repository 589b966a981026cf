/* SPDX-License-Identifier: BSD-3-Clause */
/** @file encrypt_by.h
 *  crypt.h by a variant of the stack's AES that only encrypts. */
#ifndef IMAGE_PICTURE_ENCRYPT_BY_H
#define IMAGE_PICTURE_ENCRYPT_BY_H

#include <wardmote/aes128.h>
#include <wardmote/cbc.h>
#include "crypt.h"

#define ENCRYPT_BY(variant)                                                                        \
    static wm_aes128_##variant##_key key;                                                          \
    void crypt_key(const uint8_t octets[16])                                                       \
    {                                                                                              \
        wm_aes128_##variant##_init(&key, octets);                                                  \
    }                                                                                              \
    wm_status crypt_blocks(uint8_t chain[16], uint8_t *data, uint8_t len)                          \
    {                                                                                              \
        return wm_cbc_encrypt(&key.cipher, chain, data, len);                                      \
    }                                                                                              \
    _Static_assert(sizeof key != 0, "a definition, for the semicolon")

#endif
