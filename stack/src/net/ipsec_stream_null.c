/* SPDX-License-Identifier: BSD-3-Clause */
/* No encryption (RFC 2410) by pieces. */
#include <wardmote/ipsec_ahead.h>

static wm_status begin(wm_ctr *ctr, const wm_ipsec_sa *sa, uint8_t *esp, bool sends)
{
    (void)ctr;
    (void)sa;
    (void)esp;
    (void)sends;
    return WM_OK;
}

static wm_status crypt(wm_ctr *ctr, uint8_t *octets, size_t len)
{
    (void)ctr;
    (void)octets;
    (void)len;
    return WM_OK;
}

const wm_ipsec_stream wm_ipsec_stream_null = {&wm_ipsec_null, begin, crypt};
