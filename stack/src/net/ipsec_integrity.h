/* SPDX-License-Identifier: BSD-3-Clause */
/* How a code of the modes becomes an integrity algorithm of IPsec. */
#ifndef WM_NET_IPSEC_INTEGRITY_H
#define WM_NET_IPSEC_INTEGRITY_H

#include <wardmote/ipsec.h>

/* wm_ipsec_NAME by wm_CODE_update and _final. `made` says whether `key` was made; `begin`, a status,
 * begins a message in the code that `mac` points to, under `key`. */
#define WM_IPSEC_INTEGRITY(name, code, octets, made, begin)                                        \
    static bool ready(wm_ipsec_integrity_key key)                                                  \
    {                                                                                              \
        return made;                                                                               \
    }                                                                                              \
    static void take(void *mac, const uint8_t *data, size_t len)                                   \
    {                                                                                              \
        wm_##code##_update(mac, data, len);                                                        \
    }                                                                                              \
    static wm_status make(wm_ipsec_integrity_key key, const wm_ipsec_text *text, uint8_t *icv)     \
    {                                                                                              \
        wm_##code code, *mac = &code;                                                              \
        wm_status status = begin;                                                                  \
        if (status != WM_OK) {                                                                     \
            return status;                                                                         \
        }                                                                                          \
        text->give(text, take, mac);                                                               \
        return wm_##code##_final(mac, icv, octets);                                                \
    }                                                                                              \
    const wm_ipsec_integrity wm_ipsec_##name = {                                                   \
        .icv_octets = (octets), .ready = ready, .make = make}

#endif
