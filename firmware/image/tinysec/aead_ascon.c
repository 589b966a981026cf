/* SPDX-License-Identifier: BSD-3-Clause */
/* Ascon-AEAD128 with its whole tag. */
#include <wardmote/ascon_aead128.h>
#include "aead.h"

static uint8_t key[AEAD_KEY];
static wm_ascon_aead128 states[AEAD_WAYS];

uint8_t aead_tag(void)
{
    return AEAD_TAG_MAX;
}

void aead_start(const uint8_t octets[AEAD_KEY])
{
    __builtin_memcpy(key, octets, AEAD_KEY);
}

wm_status aead_begin(aead_way way, const uint8_t header[AEAD_HEADER], uint8_t len)
{
    const wm_ascon_aead128_direction direction =
        way == AEAD_MAKE ? WM_ASCON_AEAD128_SEAL : WM_ASCON_AEAD128_OPEN;
    uint8_t nonce[16] = {0};
    (void)len;
    __builtin_memcpy(nonce, header, AEAD_HEADER);
    wm_ascon_aead128_start(&states[way], key, nonce, direction);
    return wm_ascon_aead128_aad(&states[way], header, AEAD_DATA);
}

wm_status aead_pass(aead_way way, uint8_t *octets, uint8_t len)
{
    return wm_ascon_aead128_crypt(&states[way], octets, len);
}

wm_status aead_end(aead_way way, uint8_t *tag)
{
    return way == AEAD_MAKE ? wm_ascon_aead128_seal_finish(&states[way], tag)
                            : wm_ascon_aead128_open_finish(&states[way], tag);
}
