/* SPDX-License-Identifier: BSD-3-Clause */
/** @file hash.h
 *  What a mode needs to know of a hash function. A hash offers one constant descriptor of this
 *  kind; modes take the descriptor, so an image carries only the hashes it names. */
#ifndef WARDMOTE_HASH_H
#define WARDMOTE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** A hash function; `ctx` is its own context. */
typedef struct wm_hash {
    const char *name;      /**< "SHA-1", "SHA-256" */
    uint8_t block_octets;  /**< of one step of the hash: `B` of RFC 2104 */
    uint8_t digest_octets; /**< `L` of RFC 2104 */
    void (*init)(void *ctx);
    void (*update)(void *ctx, const uint8_t *data, size_t len);
    void (*final)(void *ctx, uint8_t *digest); /**< wipes the context */
} wm_hash;

WM_C_END

#endif
