/* SPDX-License-Identifier: BSD-3-Clause */
/* CCM with L = 4 (RFC 3610 §2; RFC 4309 §3 has it for ESP): a frame that begins here goes on in
 * ccm.c. */
#include <wardmote/ccm_l4.h>

#define L 4
#include "ccm_begin.h"

wm_status wm_ccm_l4_start(wm_ccm *ctx, const wm_cipher *cipher, const uint8_t nonce[11],
                          size_t a_len, size_t m_len, size_t tag_len, wm_ccm_direction direction)
{
    wm_status status = begin(ctx, cipher, nonce, a_len, m_len, tag_len, direction);
    return status == WM_OK ? settled(ctx) : status;
}
