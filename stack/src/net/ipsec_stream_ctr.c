/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-CTR in ESP (RFC 3686) by pieces. */
#include <wardmote/ipsec_ahead.h>
#include <wardmote/octets.h>
#include "../util/xor.h"
#include "ipsec_iv.h"

#define NONCE 4u

/* §4: the first counter block is nonce, IV, and the number 1. */
static wm_status begin(wm_ctr *ctr, const wm_ipsec_sa *sa, uint8_t *esp, bool sends)
{
    wm_block128 counter;
    if (sends) {
        wm_ipsec_counter(esp, esp + ESP_HEADER);
    }
    wm_copy(counter.octet, sa->salt, NONCE);
    wm_copy(counter.octet + NONCE, esp + ESP_HEADER, ESP_COUNTER);
    wm_store_be32(counter.octet + NONCE + ESP_COUNTER, 1);
    return wm_ctr_init(ctr, sa->cipher, counter.octet);
}

const wm_ipsec_stream wm_ipsec_stream_ctr = {&wm_ipsec_aes_ctr, begin, wm_ctr_crypt};
