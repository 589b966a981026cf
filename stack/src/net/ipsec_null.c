/* SPDX-License-Identifier: BSD-3-Clause */
/* ESP that encrypts nothing (RFC 2410). */
#include <wardmote/ipsec.h>

static wm_status pass(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    (void)sa;
    (void)esp;
    (void)octets;
    return WM_OK;
}

const wm_ipsec_encryption wm_ipsec_null = {.block_octets = 4, .seal = pass, .open = pass};
