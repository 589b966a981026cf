/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's CBC-MAC.
 * References: the paper, section 5.2.2 (the encrypted length is xored with the first block); code of
 * TinyOS 1.x for the profile SHIPPED, whose blocks take 7 octets and whose padding leaves one out.
 * Invariants: what is done depends on lengths only. */
#include <wardmote/ct.h>
#include "tinysec_packet.h"

void wm_tinysec_mac_init(wm_tinysec_mac *mac, const wm_cipher *cipher, wm_tinysec_profile profile,
                         uint8_t octets)
{
    const bool shipped = profile == WM_TINYSEC_SHIPPED;
    mac->cipher = cipher;
    mac->at = 0;
    mac->block = shipped ? TINYSEC_BLOCK - 1 : TINYSEC_BLOCK;
    mac->padding = shipped ? 1 : 0;
    for (uint8_t i = 0; i < TINYSEC_BLOCK - 1; i++) {
        mac->chain.octet[i] = 0;
    }
    mac->chain.octet[TINYSEC_BLOCK - 1] = octets / TINYSEC_BLOCK;
    wm_tinysec_encrypt(cipher, &mac->chain);
}

void wm_tinysec_mac_update(wm_tinysec_mac *mac, const uint8_t *octets, uint8_t len)
{
    for (; len != 0; len--) {
        mac->chain.octet[mac->at++] ^= *octets++;
        if (mac->at == mac->block) {
            wm_tinysec_encrypt(mac->cipher, &mac->chain);
            mac->at = 0;
        }
    }
}

void wm_tinysec_mac_no_iv(wm_tinysec_mac *mac)
{
    const uint8_t zero = 0; /* no table of zeros: avr-gcc puts one into .bss */
    for (uint8_t i = 0; i < TINYSEC_IV; i++) {
        wm_tinysec_mac_update(mac, &zero, 1);
    }
}

wm_status wm_tinysec_mac_final(wm_tinysec_mac *mac, uint8_t tag[WM_TINYSEC_TAG_LEN])
{
    if (mac->at != 0) { /* at most 6 of 7 octets, so that the padding is within the block */
        mac->chain.octet[mac->at + mac->padding] ^= 1;
        wm_tinysec_encrypt(mac->cipher, &mac->chain);
    }
    const wm_status status = wm_tinysec_engine(mac->cipher);
    for (uint8_t i = 0; i < WM_TINYSEC_TAG_LEN && status == WM_OK; i++) {
        tag[i] = mac->chain.octet[i];
    }
    wm_wipe(mac, sizeof *mac);
    return status;
}
