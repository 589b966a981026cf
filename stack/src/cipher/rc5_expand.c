/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: the key schedule.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.3; its names are kept.
 * Invariants: no branch, address or number of steps depends on the key; its length is public. */
#include <wardmote/ct.h>
#include "rc5_rounds.h"

#define P32 0xb7e15163u
#define Q32 0x9e3779b9u
#define C_MAX (WM_RC5_KEY_MAX / 4) /* words of L; S has more */

wm_status wm_rc5_expand(wm_rc5 *ctx, const uint8_t *key, size_t key_len)
{
    uint32_t l[C_MAX];
    uint8_t len = (uint8_t)key_len;
    if (key_len - 1u >= WM_RC5_KEY_MAX) { /* 0 wraps */
        return WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < C_MAX; i++) {
        l[i] = 0;
    }
    for (uint8_t i = len; i-- != 0;) {
        l[i / 4] = l[i / 4] << 8 | key[i];
    }
    uint8_t c = (uint8_t)((len + 3) / 4);
    uint32_t *s = ctx->s;
    s[0] = P32;
    for (uint8_t i = 1; i < WM_RC5_WORDS; i++) {
        s[i] = s[i - 1] + Q32;
    }
    wm_rc5_mix(s, l, c);
    wm_wipe(l, sizeof l);
    return WM_OK;
}
