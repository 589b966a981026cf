/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CMAC-96 in AH and ESP (RFC 4494). */
#include "../mode/bound.h"
#include "ipsec_integrity.h"

WM_IPSEC_INTEGRITY(aes_cmac_96, cmac, 12, wm_cipher_ready(key.cmac->cipher),
                   wm_cmac_init(mac, key.cmac));
