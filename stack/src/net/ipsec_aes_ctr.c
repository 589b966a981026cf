/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CTR in ESP (RFC 3686). */
#include <wardmote/ct.h>
#include <wardmote/ctr.h>
#include <wardmote/octets.h>
#include "ipsec_iv.h"

#define NONCE 4u

/* §4: the counter block is nonce, IV, and a counter of blocks from 1 on. */
static wm_status crypt(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    uint8_t block[16];
    wm_ctr ctx;
    wm_ipsec_copy(block, sa->salt, NONCE);
    wm_ipsec_copy(block + NONCE, esp + ESP_HEADER, ESP_COUNTER);
    wm_store_be32(block + NONCE + ESP_COUNTER, 1);
    wm_status status = wm_ctr_init(&ctx, sa->cipher, block);
    if (status == WM_OK) {
        status = wm_ctr_crypt(&ctx, esp + ESP_HEADER + ESP_COUNTER, octets);
    }
    wm_wipe(&ctx, sizeof ctx);
    return status;
}

static wm_status seal(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    wm_ipsec_counter(esp, esp + ESP_HEADER);
    return crypt(sa, esp, octets);
}

const wm_ipsec_encryption wm_ipsec_aes_ctr = {
    .iv_octets = ESP_COUNTER, .block_octets = 4, .cipher_octets = 16, .seal = seal, .open = crypt};
