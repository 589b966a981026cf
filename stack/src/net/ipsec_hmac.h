/* SPDX-License-Identifier: BSD-3-Clause */
/* HMAC in IPsec: its key is as long as the digest (RFC 2404 §3, RFC 4868 §2.1.1). */
#ifndef WM_NET_IPSEC_HMAC_H
#define WM_NET_IPSEC_HMAC_H

#include <wardmote/hmac.h>
#include "ipsec_integrity.h"

static inline wm_status wm_ipsec_hmac_begin(wm_hmac *mac, const wm_hash *hash,
                                            wm_ipsec_integrity_key key)
{
    wm_hmac_init(mac, hash, key.octets, hash->digest_octets);
    return WM_OK;
}

#endif
