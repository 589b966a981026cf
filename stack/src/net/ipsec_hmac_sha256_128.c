/* SPDX-License-Identifier: BSD-3-Clause */
/* HMAC-SHA256-128 in AH and ESP (RFC 4868). */
#include "ipsec_hmac.h"

WM_IPSEC_INTEGRITY(hmac_sha256_128, hmac, 16, key.octets != NULL,
                   wm_ipsec_hmac_begin(mac, &wm_hash_sha256, key));
