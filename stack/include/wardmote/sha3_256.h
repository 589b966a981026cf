/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sha3_256.h
 *  SHA3-256 (FIPS 202): a digest of 32 octets of a message of any length, by Keccak-f[1600].
 *
 *  Incremental: init, update with pieces of any length, final. Control flow depends on the length
 *  of a message only: no branch and no address depends on its contents. A table of 24 octets is in
 *  RAM on the AVR. */
#ifndef WARDMOTE_SHA3_256_H
#define WARDMOTE_SHA3_256_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/keccak.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

#define WM_SHA3_256_LEN 32

/** State of one message: 204 octets at most. Holds no pointer. */
typedef struct wm_sha3_256 {
    wm_keccak_state state;
    uint8_t fill; /**< octets taken into the current block, 0..135 */
} wm_sha3_256;

/** Begins a message and forgets what the context held. */
void wm_sha3_256_init(wm_sha3_256 *ctx);

/** Takes the next `len` octets of the message. */
void wm_sha3_256_update(wm_sha3_256 *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes 32 octets and wipes ctx. `digest` may overlap the message. */
void wm_sha3_256_final(wm_sha3_256 *ctx, uint8_t digest[32]);

/** The digest of `len` octets at `data`; `digest` may lie in them. */
void wm_sha3_256_digest(const uint8_t *data, size_t len, uint8_t digest[32]);

WM_C_END

#endif
