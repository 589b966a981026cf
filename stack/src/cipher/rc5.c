/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: functions for the modes. */
#include <wardmote/rc5.h>
#include "octet_keys.h"

WM_OCTET_OPS(rc5, 8);

wm_status wm_rc5_init(wm_rc5_key *key, const uint8_t *octets, size_t len)
{
    wm_status status = wm_rc5_expand(&key->schedule, octets, len);
    key->cipher.ops = status == WM_OK ? &one_way_rc5 : NULL;
    return status;
}

wm_status wm_rc5_init_both(wm_rc5_key *key, const uint8_t *octets, size_t len)
{
    wm_status status = wm_rc5_expand(&key->schedule, octets, len);
    key->cipher.ops = status == WM_OK ? &both_ways_rc5 : NULL;
    return status;
}
