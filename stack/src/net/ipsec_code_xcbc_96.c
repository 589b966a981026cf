/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-XCBC-MAC-96 (RFC 3566) by pieces. */
#include "ipsec_code.h"

WM_IPSEC_CODE(xcbc_96, xcbc_mac, xcbc, WM_XCBC_MAC_96_LEN);
