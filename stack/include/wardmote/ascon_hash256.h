/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ascon_hash256.h
 *  Ascon-Hash256 (NIST SP 800-232 §5.1): a digest of 32 octets of a message of any length.
 *
 *  Incremental: init, update with pieces of any length, final. Control flow depends on the length
 *  of a message only: no table, and no branch and no address depends on its contents. */
#ifndef WARDMOTE_ASCON_HASH256_H
#define WARDMOTE_ASCON_HASH256_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/ascon.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

#define WM_ASCON_HASH256_LEN 32

/** State of one message. Holds no pointer. */
typedef struct wm_ascon_hash256 {
    wm_ascon_state state;
    uint8_t fill; /**< octets taken into the current block, 0..7 */
} wm_ascon_hash256;

/** Begins a message and forgets what the context held. */
void wm_ascon_hash256_init(wm_ascon_hash256 *ctx);

/** Takes the next `len` octets of the message. */
void wm_ascon_hash256_update(wm_ascon_hash256 *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes 32 octets and wipes ctx. `digest` may overlap the message. */
void wm_ascon_hash256_final(wm_ascon_hash256 *ctx, uint8_t digest[32]);

/** The digest of `len` octets at `data`; `digest` may lie in them. */
void wm_ascon_hash256_digest(const uint8_t *data, size_t len, uint8_t digest[32]);

WM_C_END

#endif
