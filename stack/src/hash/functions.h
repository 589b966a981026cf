/* SPDX-License-Identifier: BSD-3-Clause */
/** @file functions.h
 *  What every hash has besides its own init, update and final. */
#ifndef WM_HASH_FUNCTIONS_H
#define WM_HASH_FUNCTIONS_H

#include <stddef.h>
#include <wardmote/hash.h>

/** Defines wm_`hash`_digest: a message in one call. */
#define WM_HASH_DIGEST(hash, octets)                                                               \
    void wm_##hash##_digest(const uint8_t *data, size_t len, uint8_t digest[octets])               \
    {                                                                                              \
        wm_##hash ctx;                                                                             \
        wm_##hash##_init(&ctx);                                                                    \
        wm_##hash##_update(&ctx, data, len);                                                       \
        wm_##hash##_final(&ctx, digest);                                                           \
    }

/** Defines wm_hash_`hash`: the hash for HMAC. */
#define WM_HASH_FUNCTIONS(hash, title, block, octets)                                              \
    static void any_init(void *ctx)                                                                \
    {                                                                                              \
        wm_##hash##_init(ctx);                                                                     \
    }                                                                                              \
    static void any_update(void *ctx, const uint8_t *data, size_t len)                             \
    {                                                                                              \
        wm_##hash##_update(ctx, data, len);                                                        \
    }                                                                                              \
    static void any_final(void *ctx, uint8_t *digest)                                              \
    {                                                                                              \
        wm_##hash##_final(ctx, digest);                                                            \
    }                                                                                              \
    const wm_hash wm_hash_##hash = {                                                               \
        .name = title,                                                                             \
        .block_octets = block,                                                                     \
        .digest_octets = octets,                                                                   \
        .init = any_init,                                                                          \
        .update = any_update,                                                                      \
        .final = any_final,                                                                        \
    };

#endif
