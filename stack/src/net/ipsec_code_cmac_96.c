/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CMAC-96 (RFC 4494) by pieces. */
#include "ipsec_code.h"

WM_IPSEC_CODE(cmac_96, cmac, cmac, 12);
