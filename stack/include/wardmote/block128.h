/* SPDX-License-Identifier: BSD-3-Clause */
/** @file block128.h
 *  What a mode needs to know of a block cipher with 16-octet blocks. A variant of a cipher is a
 *  file that offers one constant descriptor of this kind; modes take the descriptor, so an image
 *  carries only the variants it names. */
#ifndef WARDMOTE_BLOCK128_H
#define WARDMOTE_BLOCK128_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** One block: octets in the order of the standard, aligned so that a CPU may take it word by
 *  word. */
typedef union wm_block128 {
    uint8_t octet[16];
    uint16_t half[8];
    uint32_t word[4];
} wm_block128;

/** A keyed 128-bit block cipher, encryption direction. */
typedef struct wm_cipher128 {
    const char *name; /**< "aes128-tab", "aes128-small", "aes128-fix", "aes128-cc2420" */
    /** encrypts in place; `key` is the variant's expanded key */
    void (*encrypt)(const void *key, wm_block128 *block);
    /** Encrypts two blocks, which may be one and the same, in less time than twice one; NULL where
     *  there is no such way. */
    void (*encrypt2)(const void *key, wm_block128 *first, wm_block128 *second);
} wm_cipher128;

WM_C_END

#endif
