/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's encryption: CBC-CS3 with blocks of 8 octets, block by block as a packet comes in. For
 * other ciphers, and for messages that are there as a whole, wardmote/cbc.h has it.
 * References: the paper, sections 5.2.1 and 5.3; code of TinyOS 1.x for the profile SHIPPED; names
 * of NIST SP 800-38A in comments.
 * Invariants: what is done depends on lengths only. */
#include <wardmote/ct.h>
#include "../mode/bound.h"
#include "../util/dead_stack.h"
#include "tinysec_packet.h"

WM_DEAD_STACK(16 * sizeof(unsigned)) /* the cipher */

void wm_tinysec_cbc_begin(const wm_cipher *cipher, wm_tinysec_profile profile,
                          const uint8_t packet[8], wm_block128 *chain)
{
    const uint8_t first = profile == WM_TINYSEC_SHIPPED ? TINYSEC_HEADER : 0;
    for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
        chain->octet[i] = packet[i ^ first];
    }
    wm_tinysec_encrypt(cipher, chain);
}

void wm_tinysec_cbc_encrypt(const wm_cipher *cipher, wm_block128 *chain, uint8_t *data, uint8_t len)
{
    do {
        for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
            chain->octet[i] ^= data[i];
        }
        wm_tinysec_encrypt(cipher, chain);
        for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
            *data++ = chain->octet[i];
        }
        len = (uint8_t)(len - TINYSEC_BLOCK);
    } while (len > TINYSEC_BLOCK);
    if (len != 0) {
        /* C_n = CIPH(P_n padded with zeros ^ C_{n-1}) stands before the first octets of C_{n-1}. */
        for (uint8_t i = 0; i < len; i++) {
            const uint8_t p = data[i];
            data[i] = chain->octet[i];
            chain->octet[i] ^= p;
        }
        wm_tinysec_encrypt(cipher, chain);
        data -= TINYSEC_BLOCK;
        for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
            data[i] = chain->octet[i];
        }
    }
    wm_wipe(chain, sizeof *chain);
}

void wm_tinysec_cbc_decrypt(const wm_cipher *cipher, wm_block128 *chain, uint8_t *data, uint8_t len)
{
    wm_block128 block;
    for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
        block.octet[i] = data[i];
    }
    cipher->ops->decrypt(wm_cipher_schedule(cipher), &block);
    if (len != TINYSEC_BLOCK) {
        /* CIPH^-1(C_n) is P_n padded with zeros ^ C_{n-1}: with the first octets of C_{n-1} in
         * hand, P_n and the rest. */
        uint8_t *tail = data + TINYSEC_BLOCK;
        for (uint8_t i = 0; i + TINYSEC_BLOCK < len; i++) {
            const uint8_t c = tail[i];
            tail[i] = block.octet[i] ^ c;
            block.octet[i] = c;
        }
        cipher->ops->decrypt(wm_cipher_schedule(cipher), &block); /* of C_{n-1} */
    }
    for (uint8_t i = 0; i < TINYSEC_BLOCK; i++) {
        const uint8_t c = data[i];
        data[i] = block.octet[i] ^ chain->octet[i];
        chain->octet[i] = c;
    }
    wm_wipe(&block, sizeof block);
    wipe_dead_stack();
}
