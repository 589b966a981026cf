/* SPDX-License-Identifier: BSD-3-Clause */
/* crypt.h in clear: the packets of a study without encryption, or of data that were encrypted
 * before they came to the mote. */
#include "crypt.h"

void crypt_key(const uint8_t octets[16])
{
    (void)octets;
}

wm_status crypt_blocks(uint8_t chain[16], uint8_t *data, uint8_t len)
{
    (void)chain;
    (void)data;
    (void)len;
    return WM_OK;
}
