/* SPDX-License-Identifier: BSD-3-Clause */
/* What sender and receiver of TinySec share: IV and CRC.
 * References: the paper, sections 5.2.1 and 5.3; code of TinyOS 1.x for the profile SHIPPED. */
#include <wardmote/ct.h>
#include "../mode/bound.h"
#include "tinysec_packet.h"

void wm_tinysec_iv(wm_tinysec_profile profile, const uint8_t packet[8], uint8_t iv[8])
{
    const uint8_t first = profile == WM_TINYSEC_SHIPPED ? TINYSEC_HEADER : 0;
    for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
        iv[i] = packet[i ^ first];
    }
}

wm_status wm_tinysec_encrypt_iv(const wm_cipher *cipher, uint8_t iv[8])
{
    wm_block128 block;
    for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
        block.octet[i] = iv[i];
    }
    cipher->ops->encrypt(wm_cipher_schedule(cipher), &block);
    for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
        iv[i] = block.octet[i];
    }
    wm_wipe(&block, sizeof block);
    return wm_cipher_failed(cipher->ops, wm_cipher_schedule(cipher)) ? WM_ERR_ENGINE : WM_OK;
}

uint16_t wm_tinysec_crc(uint16_t crc, const uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--) {
        crc ^= (uint16_t)((uint16_t)*octets++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++) {
            uint16_t carried = (crc & 0x8000u) != 0 ? 0x1021 : 0;
            crc = (uint16_t)((uint16_t)(crc << 1) ^ carried);
        }
    }
    return crc;
}
