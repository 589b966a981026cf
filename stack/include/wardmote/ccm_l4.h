/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ccm_l4.h
 *  CCM with L = 4: an 11-octet nonce (RFC 3610 §2), as ESP has it (RFC 4309 §3). A frame that begins
 *  with this call goes on with those of ccm.h: wm_ccm_aad, wm_ccm_crypt, and then
 *  wm_ccm_seal_finish or wm_ccm_open_finish. Its message has at most 65535 octets all the same. */
#ifndef WARDMOTE_CCM_L4_H
#define WARDMOTE_CCM_L4_H

#include <wardmote/ccm.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

#define WM_CCM_L4_NONCE_LEN 11

/** Begins a frame, as wm_ccm_start does for a nonce of 13 octets.
 *  @param nonce  11 octets, never twice under one key. Nonces of 13 octets under the same key cannot
 *                meet them: the first octet of every block differs (RFC 3610 §2.3)
 *  Otherwise as wm_ccm_start. */
WM_NODISCARD wm_status wm_ccm_l4_start(wm_ccm *ctx, const wm_cipher *cipher,
                                       const uint8_t nonce[11], size_t a_len, size_t m_len,
                                       size_t tag_len, wm_ccm_direction direction);

WM_C_END

#endif
