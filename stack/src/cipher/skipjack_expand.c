/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack's key, laid out for the steps.
 * References: Skipjack specification 2.0; wardmote/skipjack.h has the layout. */
#include <wardmote/skipjack.h>

void wm_skipjack_expand(wm_skipjack *ctx, const uint8_t key[10])
{
    for (uint8_t i = 0; i < WM_SKIPJACK_KEY_LEN; i++) {
        ctx->cv[i] = key[i];
    }
    ctx->cv[10] = key[0];
    ctx->cv[11] = key[1];
}
