/* SPDX-License-Identifier: BSD-3-Clause */
/** @file xcbc_mac.h
 *  AES-XCBC-MAC-96 (RFC 3566), over any block cipher of 16 octets, for messages of any length. A
 *  tag is 12 octets, no other length.
 *
 *  The chain runs under K1, which is an encrypted constant. So a key has two expanded keys of the
 *  cipher. That of K only makes K1, K2 and K3; wipe it then. No branch and no address of the mode
 *  depends on key, message or tag; the cipher's header says what the cipher does. */
#ifndef WARDMOTE_XCBC_MAC_H
#define WARDMOTE_XCBC_MAC_H

#include <stdint.h>
#include <wardmote/block128.h>
#include <wardmote/cbc_mac.h>
#include <wardmote/cipher_function.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_XCBC_MAC_96_LEN 12

/** A key, made once and used for any number of messages. Wipe with wm_wipe when the key is
 *  retired. */
typedef struct wm_xcbc_mac_key {
    const wm_cipher_function *forward;
    /** the cipher's expanded key of K1; the caller makes and sets it; it must outlive this */
    const void *k1;
    wm_block128 k2, k3;
} wm_xcbc_mac_key;

/** State of one message. Holds a pointer to its key. */
typedef struct wm_xcbc_mac {
    const wm_xcbc_mac_key *key;
    wm_cbc_mac mac;
} wm_xcbc_mac;

/** Derives K1, K2 and K3 (RFC 3566 §4 step 1) from `key`, the cipher's expanded key of K.
 *  Afterwards the caller expands the 16 octets of `k1`, sets `xcbc_key->k1` to what comes of it,
 *  and wipes `k1`. */
void wm_xcbc_mac_derive(wm_xcbc_mac_key *xcbc_key, const wm_cipher_function *forward,
                        const void *key, wm_block128 *k1);

/** Begins a message. */
void wm_xcbc_mac_init(wm_xcbc_mac *ctx, const wm_xcbc_mac_key *key);

/** Takes the next `len` octets (0..65535) of the message; none after its end. */
void wm_xcbc_mac_update(wm_xcbc_mac *ctx, const uint8_t *data, uint16_t len);

/** Ends the message: writes 12 octets and wipes ctx.
 *  @retval WM_ERR_PARAM  tag_len is not 12, or the cipher's blocks are not of 16 octets; nothing
 *                        was done
 *  @retval WM_ERR_STATE  ended already */
WM_NODISCARD wm_status wm_xcbc_mac_final(wm_xcbc_mac *ctx, uint8_t *tag, uint8_t tag_len);

/** Ends the message: compares with `tag` in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY             the tag is wrong
 *  @retval WM_ERR_PARAM, WM_ERR_STATE  as in wm_xcbc_mac_final */
WM_NODISCARD wm_status wm_xcbc_mac_verify(wm_xcbc_mac *ctx, const uint8_t *tag, uint8_t tag_len);

WM_C_END

#endif
