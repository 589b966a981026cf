/* SPDX-License-Identifier: BSD-3-Clause */
/** @file xcbc_mac.h
 *  AES-XCBC-MAC-96 (RFC 3566), over any block cipher of 16 octets, for messages of any length. A
 *  tag is 12 octets, no other length.
 *
 *  The chain runs under K1, which is an encrypted constant: K only makes K1, K2 and K3, and then K1
 *  takes its place. No branch and no address of the mode
 *  depends on key, message or tag; the cipher's header says what the cipher does. */
#ifndef WARDMOTE_XCBC_MAC_H
#define WARDMOTE_XCBC_MAC_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cbc_mac.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_XCBC_MAC_96_LEN 12

/** A key, made once and used for any number of messages. Wipe with wm_wipe when the key is
 *  retired. Holds a pointer to the cipher's key, which must outlive it. */
typedef struct wm_xcbc_mac_key {
    const wm_cipher *cipher; /**< under K1; NULL: not derived */
    wm_block128 k2, k3;
} wm_xcbc_mac_key;

/** State of one message. Holds a pointer to its key. */
typedef struct wm_xcbc_mac {
    const wm_xcbc_mac_key *key;
    wm_cbc_mac mac;
} wm_xcbc_mac;

/** Derives K1, K2 and K3 from K (RFC 3566 §4 step 1).
 *  @param cipher  of a key of K, e.g. a wm_aes128_tab_key that is used for nothing else: it becomes
 *                 a key of K1 in place, and nothing of K stays
 *  @retval WM_ERR_STATE   the key was not made
 *  @retval WM_ERR_PARAM   the cipher's blocks or keys are not of 16 octets, or it takes no other
 *                         key; the key stays as it was
 *  @retval WM_ERR_ENGINE  the cipher failed: xcbc_key is wiped. After each, it begins no message */
WM_NODISCARD wm_status wm_xcbc_mac_derive(wm_xcbc_mac_key *xcbc_key, wm_cipher *cipher);

/** Begins a message.
 *  @retval WM_ERR_STATE  the key was not made; ctx gives no tag */
WM_NODISCARD wm_status wm_xcbc_mac_init(wm_xcbc_mac *ctx, const wm_xcbc_mac_key *key);

/** Takes the next `len` octets of the message; none after its end. */
void wm_xcbc_mac_update(wm_xcbc_mac *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes 12 octets and wipes ctx.
 *  @retval WM_ERR_PARAM   tag_len is not 12; nothing was done
 *  @retval WM_ERR_STATE   not begun, or ended already
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag, and ctx is wiped */
WM_NODISCARD wm_status wm_xcbc_mac_final(wm_xcbc_mac *ctx, uint8_t *tag, size_t tag_len);

/** Ends the message: compares with `tag` in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  Any other: as wm_xcbc_mac_final. */
WM_NODISCARD wm_status wm_xcbc_mac_verify(wm_xcbc_mac *ctx, const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
