/* SPDX-License-Identifier: BSD-3-Clause */
/* HMAC-SHA1-96 in AH and ESP (RFC 2404). */
#include "ipsec_hmac.h"

WM_IPSEC_INTEGRITY(hmac_sha1_96, hmac, 12, key.octets != NULL,
                   wm_ipsec_hmac_begin(mac, &wm_hash_sha1, key));
