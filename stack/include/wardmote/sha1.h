/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sha1.h
 *  SHA-1 (FIPS 180-4 §6.1): a digest of 20 octets of a message of up to 2^61 - 1 octets, that is of
 *  all the standard allows. Collisions are known: for comparison and inside HMAC only, never where
 *  two messages must differ in digest.
 *
 *  Incremental: init, update with pieces of any length, final. Control flow depends on the length
 *  of a message only: no branch and no address depends on its contents. */
#ifndef WARDMOTE_SHA1_H
#define WARDMOTE_SHA1_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/hash.h>
#include <wardmote/linkage.h>
#include <wardmote/md64.h>

WM_C_BEGIN

#define WM_SHA1_LEN 20

/** State of one message: 92 octets. Holds no pointer. */
typedef struct wm_sha1 {
    uint32_t state[5]; /**< H (§6.1.2) */
    wm_md64 md;
} wm_sha1;

/** Begins a message and forgets what the context held. */
void wm_sha1_init(wm_sha1 *ctx);

/** Takes the next `len` octets of the message. */
void wm_sha1_update(wm_sha1 *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes 20 octets and wipes ctx. `digest` may overlap the message. */
void wm_sha1_final(wm_sha1 *ctx, uint8_t digest[20]);

/** The digest of `len` octets at `data`; `digest` may lie in them. */
void wm_sha1_digest(const uint8_t *data, size_t len, uint8_t digest[20]);

/** Descriptor for the modes; its context is a `wm_sha1`. */
extern const wm_hash wm_hash_sha1;

WM_C_END

#endif
