/* SPDX-License-Identifier: BSD-3-Clause */
/* CCM* in its two parts.
 * References: RFC 3610 §2.2 (B_0, CBC-MAC), §2.3 (A_i, S_i), with L = 2; names in comments are its
 * own. ccm.c has the same in one pass. */
#include <wardmote/ccm_parts.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/xor.h"
#include "bound.h"

#define FLAG_ADATA 0x40 /* §2.2 */
#define FLAG_L 1        /* L - 1 */
#define NONCE_LEN 13
#define NUMBER_AT 14 /* l(m) in B_0, i in A_i */

/* flags | N | number: B_0 and every A_i. */
static void make_block(wm_block128 *block, uint8_t flags, const uint8_t nonce[13], uint16_t number)
{
    block->octet[0] = flags;
    for (uint8_t i = 0; i < NONCE_LEN; i++) {
        block->octet[1 + i] = nonce[i];
    }
    wm_store_be16(block->octet + NUMBER_AT, number);
}

wm_status wm_ccm_keystream(const wm_cipher *cipher, const uint8_t nonce[13], uint16_t number,
                           wm_block128 *block)
{
    if (!wm_cipher_ready(cipher)) {
        wm_block_wipe(block);
        return WM_ERR_STATE;
    }
    const void *schedule = wm_cipher_schedule(cipher);
    make_block(block, FLAG_L, nonce, number);
    cipher->ops->encrypt(schedule, block);
    if (wm_cipher_failed(cipher->ops, schedule)) {
        wm_block_wipe(block);
        return WM_ERR_ENGINE;
    }
    return WM_OK;
}

void wm_ccm_mac_start(wm_ccm_mac *mac, const uint8_t nonce[13], uint16_t a_len, uint16_t m_len,
                      uint8_t tag_len)
{
    const uint8_t flags = (uint8_t)((a_len != 0 ? FLAG_ADATA : 0) + 4 * (tag_len - 2) + FLAG_L);

    make_block(&mac->x, flags, nonce, m_len);
    mac->a_left = a_len;
    mac->m_left = m_len;
    mac->fill = 0;
    mac->full = true;
    mac->has_a = a_len != 0;
    wm_store_be16(mac->a_octets, a_len);
}

uint8_t wm_ccm_mac_take(wm_ccm_mac *mac, const uint8_t *octets, uint16_t len)
{
    uint16_t *left = mac->a_left != 0 ? &mac->a_left : &mac->m_left;
    uint8_t taken = (uint8_t)(16 - mac->fill);

    if (mac->full) {
        return 0;
    }
    if (taken > *left) {
        taken = (uint8_t)*left;
    }
    if (taken > len) {
        taken = (uint8_t)len;
    }
    if (taken == 0) {
        return 0;
    }
    wm_xor(mac->x.octet + mac->fill, octets, taken);
    *left = (uint16_t)(*left - taken);
    mac->fill = (uint8_t)(mac->fill + taken);
    mac->full = mac->fill == 16 || *left == 0; /* a and m are padded with zeros: no xor */
    return taken;
}

wm_status wm_ccm_mac_step(wm_ccm_mac *mac, const wm_cipher *cipher)
{
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    if (!mac->full) {
        return WM_OK;
    }
    const void *schedule = wm_cipher_schedule(cipher);
    cipher->ops->encrypt(schedule, &mac->x);
    if (wm_cipher_failed(cipher->ops, schedule)) {
        wm_wipe(mac, sizeof *mac);
        return WM_ERR_ENGINE;
    }
    mac->full = false;
    mac->fill = 0;
    if (mac->has_a) { /* §2.2: l(a) in two octets leads a */
        mac->has_a = false;
        mac->x.octet[0] ^= mac->a_octets[0];
        mac->x.octet[1] ^= mac->a_octets[1];
        mac->fill = 2;
    }
    return WM_OK;
}
