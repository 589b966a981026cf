/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CTR in ESP (RFC 3686). The counter block is made anew for each block, in the place of the key
 * stream: one block on the stack, and no copy. */
#ifdef WM_FORM_SMALL
#include <wardmote/ct.h>
#include "../src/mode/bound.h"
#include "../src/net/ipsec_iv.h"
#include "../src/util/compiler.h"
#include "../src/util/xor.h"

#define NONCE 4u
#define BLOCK 16u

/* §4: the counter block is nonce, IV, and a counter of blocks from 1 on. A packet has less than 2^16
 * blocks. */
static wm_status crypt(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    const void *schedule = wm_cipher_schedule(sa->cipher);
    uint8_t *at = esp + ESP_HEADER + ESP_COUNTER;
    wm_block128 block;
    for (uint16_t number = 1; octets != 0; number++) {
        const uint8_t n = octets < BLOCK ? (uint8_t)octets : BLOCK;
        WM_STEP_BY_STEP(sa);
        WM_STEP_BY_STEP(esp);
        wm_copy(block.octet, sa->salt, NONCE);
        wm_copy(block.octet + NONCE, esp + ESP_HEADER, ESP_COUNTER);
        block.octet[BLOCK - 4] = 0;
        block.octet[BLOCK - 3] = 0;
        block.octet[BLOCK - 2] = (uint8_t)(number >> 8);
        block.octet[BLOCK - 1] = (uint8_t)number;
        sa->cipher->ops->encrypt(schedule, &block);
        wm_xor(at, block.octet, n);
        at += n;
        octets = (uint16_t)(octets - n);
    }
    wm_wipe(&block, sizeof block);
    return wm_cipher_failed(sa->cipher->ops, schedule) ? WM_ERR_ENGINE : WM_OK;
}

static wm_status seal(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    wm_ipsec_counter(esp, esp + ESP_HEADER);
    return crypt(sa, esp, octets);
}

const wm_ipsec_encryption wm_ipsec_aes_ctr = {
    .iv_octets = ESP_COUNTER, .block_octets = 4, .cipher_octets = 16, .seal = seal, .open = crypt};
#endif
