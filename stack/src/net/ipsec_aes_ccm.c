/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CCM in ESP (RFC 4309), with an IV in the packet or without (RFC 8750). */
#include <wardmote/ccm_l4.h>
#include <wardmote/ct.h>
#include "../util/xor.h"
#include "ipsec_iv.h"

#define SALT 3u

/* Takes the octets up to the ICV. §4: the nonce is salt and IV; §5: SPI and sequence number are
 * authenticated too. */
static wm_status crypt(wm_ccm *ctx, const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets,
                       wm_ccm_direction direction)
{
    const wm_ipsec_encryption *encryption = sa->encryption;
    uint8_t nonce[WM_CCM_L4_NONCE_LEN];
    wm_copy(nonce, sa->salt, SALT);
    if (encryption->iv_octets == 0) {
        wm_ipsec_counter(esp, nonce + SALT);
    } else {
        wm_copy(nonce + SALT, esp + ESP_HEADER, ESP_COUNTER);
    }
    wm_status status = wm_ccm_l4_start(ctx, sa->cipher, nonce, ESP_HEADER, octets,
                                       encryption->icv_octets, direction);
    if (status == WM_OK) {
        status = wm_ccm_aad(ctx, esp, ESP_HEADER);
    }
    if (status == WM_OK) {
        status = wm_ccm_crypt(ctx, esp + ESP_HEADER + encryption->iv_octets, octets);
    }
    return status;
}

static wm_status seal(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    wm_ccm ctx;
    const uint8_t front = (uint8_t)(ESP_HEADER + sa->encryption->iv_octets);
    if (front != ESP_HEADER) {
        wm_ipsec_counter(esp, esp + ESP_HEADER);
    }
    wm_status status = crypt(&ctx, sa, esp, octets, WM_CCM_SEAL);
    return status == WM_OK ? wm_ccm_seal_finish(&ctx, esp + front + octets) : status;
}

static wm_status open(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    wm_ccm ctx;
    uint8_t *body = esp + ESP_HEADER + sa->encryption->iv_octets;
    wm_status status = crypt(&ctx, sa, esp, octets, WM_CCM_OPEN);
    if (status == WM_OK) {
        status = wm_ccm_open_finish(&ctx, body + octets);
    }
    if (status != WM_OK) {
        wm_wipe(body, octets);
    }
    return status;
}

#define CCM(iv, icv)                                                                               \
    {.iv_octets = (iv),                                                                            \
     .block_octets = 4,                                                                            \
     .icv_octets = (icv),                                                                          \
     .cipher_octets = 16,                                                                          \
     .seal = seal,                                                                                 \
     .open = open}

const wm_ipsec_encryption wm_ipsec_aes_ccm_8 = CCM(ESP_COUNTER, 8);
const wm_ipsec_encryption wm_ipsec_aes_ccm_16 = CCM(ESP_COUNTER, 16);
const wm_ipsec_encryption wm_ipsec_aes_ccm_8_iiv = CCM(0, 8);
