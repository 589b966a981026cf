/* SPDX-License-Identifier: BSD-3-Clause */
/* CCM* under AES-128, with a tag as long as TinySec's. */
#include <wardmote/aes128.h>
#include <wardmote/ccm.h>
#include "aead.h"

#define TAG 4u

static wm_aes128_tab_key key;
static wm_ccm states[AEAD_WAYS];

uint8_t aead_tag(void)
{
    return TAG;
}

void aead_start(const uint8_t octets[AEAD_KEY])
{
    wm_aes128_tab_init(&key, octets);
}

wm_status aead_begin(aead_way way, const uint8_t header[AEAD_HEADER], uint8_t len)
{
    const wm_ccm_direction direction = way == AEAD_MAKE ? WM_CCM_SEAL : WM_CCM_OPEN;
    uint8_t nonce[WM_CCM_NONCE_LEN] = {0};
    __builtin_memcpy(nonce, header, AEAD_HEADER);
    wm_status status =
        wm_ccm_start(&states[way], &key.cipher, nonce, AEAD_DATA, len, TAG, direction);
    return status == WM_OK ? wm_ccm_aad(&states[way], header, AEAD_DATA) : status;
}

wm_status aead_pass(aead_way way, uint8_t *octets, uint8_t len)
{
    return wm_ccm_crypt(&states[way], octets, len);
}

wm_status aead_end(aead_way way, uint8_t *tag)
{
    return way == AEAD_MAKE ? wm_ccm_seal_finish(&states[way], tag)
                            : wm_ccm_open_finish(&states[way], tag);
}
