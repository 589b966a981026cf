/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ascon_aead128.h
 *  Ascon-AEAD128 (NIST SP 800-232 §4): authenticated encryption with a key, a nonce and a tag of 16
 *  octets each, for associated data and a message of any length.
 *
 *  Incremental: start, aad (any pieces), crypt (any pieces), then seal or open. All of a comes
 *  before any of m. While decrypting, the octets that crypt returns are not yet authentic: hold
 *  them back until wm_ascon_aead128_open_finish returns WM_OK, and wipe them otherwise. The
 *  one-shot calls do that themselves. Control flow depends on lengths only: no table, and no branch
 *  and no address depends on key, nonce, data or tag. */
#ifndef WARDMOTE_ASCON_AEAD128_H
#define WARDMOTE_ASCON_AEAD128_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/ascon.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_ascon_aead128_direction {
    WM_ASCON_AEAD128_SEAL,
    WM_ASCON_AEAD128_OPEN
} wm_ascon_aead128_direction;

/** State of one message: holds the key, but no pointer. Wiped by either finish. */
typedef struct wm_ascon_aead128 {
    wm_ascon_state state;
    uint8_t key[16];
    uint8_t fill;  /**< octets taken into the current block, 0..15 */
    uint8_t phase; /**< 0: finished; else how far the message is */
    uint8_t direction;
} wm_ascon_aead128;

/** Begins a message. Never use a nonce twice under one key (§4). */
void wm_ascon_aead128_start(wm_ascon_aead128 *ctx, const uint8_t key[16], const uint8_t nonce[16],
                            wm_ascon_aead128_direction direction);

/** Takes the next `len` octets of a.
 *  @retval WM_ERR_STATE  m has begun, or the context is finished */
WM_NODISCARD wm_status wm_ascon_aead128_aad(wm_ascon_aead128 *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place.
 *  @retval WM_ERR_STATE  the context is finished */
WM_NODISCARD wm_status wm_ascon_aead128_crypt(wm_ascon_aead128 *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes 16 octets of tag and wipes ctx.
 *  @retval WM_ERR_STATE  the context is finished or was begun to open; nothing was done */
WM_NODISCARD wm_status wm_ascon_aead128_seal_finish(wm_ascon_aead128 *ctx, uint8_t tag[16]);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_STATE     the context is finished or was begun to seal; nothing was done */
WM_NODISCARD wm_status wm_ascon_aead128_open_finish(wm_ascon_aead128 *ctx, const uint8_t tag[16]);

/** Seals m in place and writes the tag, which may follow m in the same buffer. */
void wm_ascon_aead128_seal(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *a,
                           size_t a_len, uint8_t *m, size_t m_len, uint8_t tag[16]);

/** Opens m in place. WM_OK: m is plaintext | WM_ERR_SECURITY: m is all zero. */
WM_NODISCARD wm_status wm_ascon_aead128_open(const uint8_t key[16], const uint8_t nonce[16],
                                             const uint8_t *a, size_t a_len, uint8_t *m,
                                             size_t m_len, const uint8_t tag[16]);

WM_C_END

#endif
