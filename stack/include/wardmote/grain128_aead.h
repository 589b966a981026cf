/* SPDX-License-Identifier: BSD-3-Clause */
/** @file grain128_aead.h
 *  Grain-128AEADv2 (M. Hell, T. Johansson, A. Maximov, W. Meier, H. Yoshida, NIST lightweight
 *  cryptography, 2021): authenticated encryption with keys of 16 octets, nonces of 12 and tags of
 *  8.
 *
 *  Incremental: start, aad (any pieces), crypt (any pieces), then seal or open. All of a comes
 *  before any of m. The length of a is announced, because it is authenticated before a; that of m
 *  is not. While decrypting, the octets that crypt returns are not yet authentic: hold them back
 *  until wm_grain128_open_finish returns WM_OK, and wipe them otherwise. The one-shot calls do that
 *  themselves. No branch and no address depends on key, nonce, a, m or tag. */
#ifndef WARDMOTE_GRAIN128_AEAD_H
#define WARDMOTE_GRAIN128_AEAD_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_GRAIN128_KEY_LEN 16
#define WM_GRAIN128_NONCE_LEN 12
#define WM_GRAIN128_TAG_LEN 8

/** Whether a context seals (encrypts and makes the tag) or opens (decrypts and compares it). */
typedef enum wm_grain128_direction {
    WM_GRAIN128_SEAL = 1,
    WM_GRAIN128_OPEN = 2
} wm_grain128_direction;

/** State of one message: at most 56 octets, 64 where a size_t has 8. Holds no pointer. Wiped by either finish. */
typedef struct wm_grain128 {
    /** NFSR b_0..b_127 and LFSR s_0..s_127, accumulator a_0..a_63 and register r_0..r_63: the
     *  oldest bit is the least. */
    union {
        uint16_t half[24];
        uint32_t word[12];
    } state;
    size_t a_left;     /**< octets of a still to come */
    uint16_t rest;     /**< pre-output that was made and not yet used */
    uint8_t rest_bits; /**< how many bits of pre-output: 0 or 16 */
    uint8_t direction; /**< 0 once the message is finished */
} wm_grain128;

/** Begins a message: 512 steps.
 *  @param key    16 octets
 *  @param nonce  12 octets, never twice under one key
 *  @param a_len  octets of associated data */
void wm_grain128_start(wm_grain128 *ctx, const uint8_t key[16], const uint8_t nonce[12],
                       size_t a_len, wm_grain128_direction direction);

/** Takes the next `len` octets of a.
 *  @retval WM_ERR_STATE  more than start announced, or finished; nothing was done */
WM_NODISCARD wm_status wm_grain128_aad(wm_grain128 *ctx, const uint8_t *a, size_t len);

/** En- or decrypts the next `len` octets of m in place.
 *  @retval WM_ERR_STATE  a incomplete, or finished */
WM_NODISCARD wm_status wm_grain128_crypt(wm_grain128 *ctx, uint8_t *m, size_t len);

/** Ends sealing: writes 8 octets of tag and wipes ctx.
 *  @retval WM_ERR_STATE  a incomplete, or not sealing; no tag */
WM_NODISCARD wm_status wm_grain128_seal_finish(wm_grain128 *ctx, uint8_t tag[8]);

/** Ends opening: compares in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_STATE     a incomplete, or not opening */
WM_NODISCARD wm_status wm_grain128_open_finish(wm_grain128 *ctx, const uint8_t tag[8]);

/** Seals m in place and writes the tag, which may follow m in the same buffer. */
void wm_grain128_seal(const uint8_t key[16], const uint8_t nonce[12], const uint8_t *a,
                      size_t a_len, uint8_t *m, size_t m_len, uint8_t tag[8]);

/** Opens m in place. WM_OK: m is plaintext | WM_ERR_SECURITY: m is all zero. */
WM_NODISCARD wm_status wm_grain128_open(const uint8_t key[16], const uint8_t nonce[12],
                                        const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len,
                                        const uint8_t tag[8]);

WM_C_END

#endif
