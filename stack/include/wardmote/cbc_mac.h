/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cbc_mac.h
 *  CBC-MAC (FIPS 113; ISO/IEC 9797-1 algorithm 1 with zero padding) over a block cipher of any
 *  block length.
 *
 *  Use it only for messages that all have one length, or whose first block holds their length.
 *  Otherwise an attacker who sees two tags can make a third. CMAC (cmac.h) has no such limit and
 *  costs no more. An empty message is one block of zeros; the standards leave that open. No branch
 *  and no address of the mode depends on key, message or tag; the cipher's header says what the
 *  cipher does. */
#ifndef WARDMOTE_CBC_MAC_H
#define WARDMOTE_CBC_MAC_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Least octets of a tag of CBC-MAC and CMAC, which is what IEEE 802.15.4 has; the most are those
 *  of a block. */
#define WM_CBC_MAC_TAG_MIN 4

/** State of one message. Holds a pointer into the key, which must outlive it. */
typedef struct wm_cbc_mac {
    const wm_cipher_ops *ops; /**< of the cipher; NULL: none */
    const void *schedule;     /**< the cipher's */
    wm_block128 chain; /**< what the cipher gave last, xored with the octets of the block to come */
    uint8_t fill;      /**< how many those are: a full block waits, for it may be the last */
    uint8_t block_octets;
    bool failed; /**< the cipher, at a block of this message */
} wm_cbc_mac;

/** Begins a message.
 *  @param cipher  a key's: `&key.cipher`
 *  @retval WM_ERR_STATE  the key was not made; ctx gives no tag */
WM_NODISCARD wm_status wm_cbc_mac_init(wm_cbc_mac *ctx, const wm_cipher *cipher);

/** Takes the next `len` octets of the message; none after its end. */
void wm_cbc_mac_update(wm_cbc_mac *ctx, const uint8_t *data, size_t len);

/** Ends the message: writes the leftmost `tag_len` octets, from 4 to a block, of the last block
 *  and wipes ctx.
 *  @retval WM_ERR_PARAM   tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE   not begun, or ended already
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag, and ctx is wiped */
WM_NODISCARD wm_status wm_cbc_mac_final(wm_cbc_mac *ctx, uint8_t *tag, size_t tag_len);

/** Ends the message: compares with `tag` in constant time and wipes ctx.
 *  @retval WM_ERR_SECURITY  the tag is wrong
 *  @retval WM_ERR_PARAM     tag_len is out of range; nothing was done
 *  @retval WM_ERR_STATE     not begun, or ended already
 *  @retval WM_ERR_ENGINE    the cipher failed: no tag is accepted, and ctx is wiped */
WM_NODISCARD wm_status wm_cbc_mac_verify(wm_cbc_mac *ctx, const uint8_t *tag, size_t tag_len);

WM_C_END

#endif
