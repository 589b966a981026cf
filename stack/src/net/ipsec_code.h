/* SPDX-License-Identifier: BSD-3-Clause */
/* How a code of the modes becomes one of IPsec by pieces. */
#ifndef WM_NET_IPSEC_CODE_H
#define WM_NET_IPSEC_CODE_H

#include <wardmote/ipsec_ahead.h>

/* wm_ipsec_code_NAME by wm_CODE_init, _update and _final; `member` of the unions of keys and states. */
#define WM_IPSEC_CODE(name, code, member, octets)                                                  \
    static wm_status begin(wm_ipsec_mac *mac, wm_ipsec_integrity_key key)                          \
    {                                                                                              \
        return wm_##code##_init(&mac->member, key.member);                                         \
    }                                                                                              \
    static void take(void *mac, const uint8_t *data, size_t len)                                   \
    {                                                                                              \
        wm_##code##_update(&((wm_ipsec_mac *)mac)->member, data, len);                             \
    }                                                                                              \
    static wm_status end(wm_ipsec_mac *mac, uint8_t *icv)                                          \
    {                                                                                              \
        return wm_##code##_final(&mac->member, icv, octets);                                       \
    }                                                                                              \
    const wm_ipsec_code wm_ipsec_code_##name = {&wm_ipsec_aes_##name, begin, take, end}

#endif
