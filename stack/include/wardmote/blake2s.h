/* SPDX-License-Identifier: BSD-3-Clause */
/** @file blake2s.h
 *  BLAKE2s (RFC 7693): a digest of 1..32 octets of a message of up to 2^64 - 1 octets, with a key
 *  of 0..32 octets. With a key it is a message authentication code; compare its digests with
 *  wm_ct_diff (ct.h).
 *
 *  Incremental: init, update with pieces of any length, final. Control flow depends on lengths
 *  only: no branch and no address depends on key or message. Its tables take 32 octets of RAM on
 *  the AVR, and 192 in portable C. */
#ifndef WARDMOTE_BLAKE2S_H
#define WARDMOTE_BLAKE2S_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_BLAKE2S_LEN 32 /**< most octets of a digest */
#define WM_BLAKE2S_KEY_MAX 32

/** State of one message. Holds no pointer. */
typedef struct wm_blake2s {
    uint32_t h[8]; /**< §3.1 */
    uint32_t t[2]; /**< octets compressed so far, low word first */
    union {
        uint8_t octet[64];
        uint32_t word[16];
    } block;
    uint8_t fill; /**< octets in the block, 0..64: a full one waits, for it may be the last */
    uint8_t digest_len;
} wm_blake2s;

/** Begins a message and forgets what the context held.
 *  @param digest_len  1..32; a short digest is not a part of a long one
 *  @param key         key_len octets, 0..32; with 0, no key. Not needed after this call.
 *  @retval WM_ERR_PARAM  a length is out of range; ctx is wiped: until it is begun, its digest has no
 *                        octets */
WM_NODISCARD wm_status wm_blake2s_init(wm_blake2s *ctx, size_t digest_len, const uint8_t *key,
                                       size_t key_len);

/** Takes the next `len` octets of the message. */
void wm_blake2s_update(wm_blake2s *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes digest_len octets and wipes ctx. `digest` may overlap the message. */
void wm_blake2s_final(wm_blake2s *ctx, uint8_t *digest);

/** The digest of 32 octets, without a key, of `len` octets at `data`; `digest` may lie
 *  in them. */
void wm_blake2s_digest(const uint8_t *data, size_t len, uint8_t digest[32]);

WM_C_END

#endif
