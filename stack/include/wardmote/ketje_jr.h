/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ketje_jr.h
 *  Ketje Jr v1 (G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, R. Van Keer, CAESAR submission,
 *  2014), which is MonkeyWrap over Keccak-p[200]: authenticated encryption for associated data and
 *  a message of any length, 2 octets a round. Of the sizes it allows, those of its submission: keys
 *  of 12 octets, nonces of 10, tags of 12. Ketje v2 is another algorithm.
 *
 *  Incremental: start, aad (any pieces), crypt (any pieces), then seal or open. All of a comes
 *  before any of m. While decrypting, the octets that crypt returns are not yet authentic: hold
 *  them back until wm_ketje_jr_open_finish returns WM_OK, and wipe them otherwise. The one-shot
 *  calls do that themselves. Control flow depends on lengths only: no table, and no branch and no
 *  address depends on key, nonce, data or tag. */
#ifndef WARDMOTE_KETJE_JR_H
#define WARDMOTE_KETJE_JR_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_KETJE_JR_KEY_LEN 12
#define WM_KETJE_JR_NONCE_LEN 10
#define WM_KETJE_JR_TAG_LEN 12

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_ketje_jr_direction { WM_KETJE_JR_SEAL, WM_KETJE_JR_OPEN } wm_ketje_jr_direction;

/** State of one message: 28 octets. Holds no pointer. Wiped by either finish. */
typedef struct wm_ketje_jr {
    uint8_t lane[25]; /**< (x, y) at x + 5 y */
    uint8_t fill;     /**< octets taken into the current block, 0..2 */
    uint8_t phase;    /**< 0: finished; else how far the message is */
    uint8_t direction;
} wm_ketje_jr;

/** Begins a message. Never use a nonce twice under one key. */
void wm_ketje_jr_start(wm_ketje_jr *ctx, const uint8_t key[12], const uint8_t nonce[10],
                       wm_ketje_jr_direction direction);

/** Takes the next `len` octets of a.
 *  @retval WM_ERR_STATE  m has begun, or the context is finished */
WM_NODISCARD wm_status wm_ketje_jr_aad(wm_ketje_jr *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place.
 *  @retval WM_ERR_STATE  the context is finished */
WM_NODISCARD wm_status wm_ketje_jr_crypt(wm_ketje_jr *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes 12 octets of tag and wipes ctx.
 *  @retval WM_ERR_STATE  the context is finished or was begun to open; nothing was done */
WM_NODISCARD wm_status wm_ketje_jr_seal_finish(wm_ketje_jr *ctx, uint8_t tag[12]);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_STATE     the context is finished or was begun to seal; nothing was done */
WM_NODISCARD wm_status wm_ketje_jr_open_finish(wm_ketje_jr *ctx, const uint8_t tag[12]);

/** Seals m in place and writes the tag, which may follow m in the same buffer. */
void wm_ketje_jr_seal(const uint8_t key[12], const uint8_t nonce[10], const uint8_t *a,
                      size_t a_len, uint8_t *m, size_t m_len, uint8_t tag[12]);

/** Opens m in place. WM_OK: m is plaintext | WM_ERR_SECURITY: m is all zero. */
WM_NODISCARD wm_status wm_ketje_jr_open(const uint8_t key[12], const uint8_t nonce[10],
                                        const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                        const uint8_t tag[12]);

WM_C_END

#endif
