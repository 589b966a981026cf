/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of TinySec's receiver that a keyring takes once more. */
#ifndef WM_TINYSEC_RECEIVE_H
#define WM_TINYSEC_RECEIVE_H

#include <wardmote/tinysec.h>

/** Begins the tag under these keys, and takes the header into it.
 *  @retval WM_ERR_PARAM, WM_ERR_STATE      a key cannot be used
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  the packet is encrypted and there is no key that
 *                                          decrypts */
wm_status wm_tinysec_begin_tag(wm_tinysec_receiver *receiver, const wm_cipher *encryption,
                               const wm_cipher *mac);

/** Whether the tag of a whole packet is right under the keys that are tried.
 *  @retval WM_ERR_SECURITY  it is wrong
 *  @retval WM_ERR_ENGINE    the cipher failed */
wm_status wm_tinysec_verify_tag(wm_tinysec_receiver *receiver);

/** Decrypts what is there of the ciphertext, up to `end`; the last two blocks together.
 *  @retval WM_ERR_ENGINE  the cipher failed */
wm_status wm_tinysec_open_blocks(wm_tinysec_receiver *receiver, uint8_t end);

#endif
