/* SPDX-License-Identifier: BSD-3-Clause */
/** @file hmac.h
 *  HMAC (RFC 2104, FIPS 198-1) over SHA-1 or SHA-256, by the descriptor of the hash.
 *
 *  Tags are the leftmost octets of the digest: 10..20 with SHA-1, 16..32 with SHA-256; RFC 2104 §5
 *  advises against fewer than half of the digest and fewer than 10. Control flow depends on the
 *  hash and on lengths only: no branch and no address depends on key, message or tag. */
#ifndef WARDMOTE_HMAC_H
#define WARDMOTE_HMAC_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/sha1.h>
#include <wardmote/sha256.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** State of one message. Holds a pointer to the descriptor only, none to key or message. */
typedef struct wm_hmac {
    const wm_hash *hash;
    union {
        wm_sha1 sha1;
        wm_sha256 sha256;
    } context;             /**< of the inner hash, then of the outer */
    uint8_t outer_key[64]; /**< K xor opad */
} wm_hmac;

/** Begins a message.
 *  @param hash  &wm_hash_sha1 or &wm_hash_sha256
 *  @param key   key_len octets; more than 64 are hashed first (RFC 2104 §2). Not needed
 *               after this call. */
void wm_hmac_init(wm_hmac *ctx, const wm_hash *hash, const uint8_t *key, size_t key_len);

/** Takes the next `len` octets of the message; none after its end. */
void wm_hmac_update(wm_hmac *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes `tag_len` octets and wipes ctx.
 *  @retval WM_ERR_PARAM  tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE  ended already */
WM_NODISCARD wm_status wm_hmac_final(wm_hmac *ctx, uint8_t *tag, size_t tag_len);

/** Ends the message: compares with `tag` in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_PARAM     tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE     ended already */
WM_NODISCARD wm_status wm_hmac_verify(wm_hmac *ctx, const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
