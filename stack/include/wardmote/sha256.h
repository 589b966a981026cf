/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sha256.h
 *  SHA-256 (FIPS 180-4 §6.2): a digest of 32 octets of a message of up to 2^61 - 1 octets, that is
 *  of all the standard allows.
 *
 *  Incremental: init, update with pieces of any length, final. Control flow depends on the length
 *  of a message only: no branch and no address depends on its contents. Its tables take 32 octets
 *  of RAM on the AVR, and 288 in portable C. */
#ifndef WARDMOTE_SHA256_H
#define WARDMOTE_SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/hash.h>
#include <wardmote/linkage.h>
#include <wardmote/md64.h>

WM_C_BEGIN

#define WM_SHA256_LEN 32

/** State of one message: 104 octets. Holds no pointer. */
typedef struct wm_sha256 {
    uint32_t state[8]; /**< H (§6.2.2) */
    wm_md64 md;
} wm_sha256;

/** Begins a message and forgets what the context held. */
void wm_sha256_init(wm_sha256 *ctx);

/** Takes the next `len` octets of the message. */
void wm_sha256_update(wm_sha256 *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes 32 octets and wipes ctx. `digest` may overlap the message. */
void wm_sha256_final(wm_sha256 *ctx, uint8_t digest[32]);

/** The digest of `len` octets at `data`; `digest` may lie in them. */
void wm_sha256_digest(const uint8_t *data, size_t len, uint8_t digest[32]);

/** Descriptor for the modes; its context is a `wm_sha256`. */
extern const wm_hash wm_hash_sha256;

WM_C_END

#endif
