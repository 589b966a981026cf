/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CBC in ESP (RFC 3602).
 * The IV is unpredictable as §3 wants it: it is a block that never came before, encrypted under the
 * same key (NIST SP 800-38A, Appendix C). */
#include <wardmote/cbc.h>
#include <wardmote/ct.h>
#include "../mode/bound.h"
#include "../util/xor.h"
#include "ipsec_iv.h"

#define BLOCK 16u

/* salt | SPI | sequence number in 8 octets, encrypted. */
static void make_iv(const wm_ipsec_sa *sa, const uint8_t *esp, wm_block128 *iv)
{
    wm_copy(iv->octet, sa->salt, 4);
    wm_copy(iv->octet + 4, esp, 4);
    wm_ipsec_counter(esp, iv->octet + 8);
    sa->cipher->ops->encrypt(wm_cipher_schedule(sa->cipher), iv);
}

static wm_status seal(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    wm_block128 iv;
    if (!wm_cipher_ready(sa->cipher)) {
        return WM_ERR_STATE;
    }
    make_iv(sa, esp, &iv);
    if (wm_cipher_failed(sa->cipher->ops, wm_cipher_schedule(sa->cipher))) {
        return WM_ERR_ENGINE;
    }
    wm_copy(esp + ESP_HEADER, iv.octet, BLOCK);
    return wm_cbc_encrypt(sa->cipher, iv.octet, esp + ESP_HEADER + BLOCK, octets);
}

static wm_status open(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    return wm_cbc_decrypt(sa->cipher, esp + ESP_HEADER, esp + ESP_HEADER + BLOCK, octets);
}

const wm_ipsec_encryption wm_ipsec_aes_cbc = {.iv_octets = BLOCK,
                                              .block_octets = BLOCK,
                                              .cipher_octets = BLOCK,
                                              .decrypts = true,
                                              .seal = seal,
                                              .open = open};
