/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-XCBC-MAC-96 in AH and ESP (RFC 3566). */
#include "../mode/bound.h"
#include "ipsec_integrity.h"

WM_IPSEC_INTEGRITY(aes_xcbc_96, xcbc_mac, WM_XCBC_MAC_96_LEN, wm_cipher_ready(key.xcbc->cipher),
                   wm_xcbc_mac_init(mac, key.xcbc));
