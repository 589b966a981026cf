/* SPDX-License-Identifier: BSD-3-Clause */
/* A sender that encrypts: its vector is the encryption of a counter that never comes twice under a key
 * (NIST SP 800-38A, appendix C). The counter lies in the EEPROM. */
#include <wardmote/octets.h>
#include "../tinysec/iv_store.h"
#include "crypt.h"
#include "vector.h"

bool vector_start(const picture_setup *setup, uint8_t chain[PICTURE_BLOCK],
                  uint8_t data[PICTURE_BLOCK])
{
    uint8_t nothing[PICTURE_BLOCK] = {0};
    uint32_t counter;
    if (iv_store_open() != WM_OK) {
        return false;
    }
    counter = iv_store->ops->limit(iv_store);
    if (counter == WM_COUNTER_EXHAUSTED ||
        iv_store->ops->advance(iv_store, counter + 1u) != WM_OK) {
        return false;
    }
    wm_store_le32(chain, counter);
    wm_store_le16(chain + 4, setup->address);
    wm_status status = crypt_blocks(nothing, chain, PICTURE_BLOCK);
    __builtin_memcpy(data, chain, PICTURE_BLOCK);
    return status == WM_OK;
}

vector_found vector_take(uint8_t chain[PICTURE_BLOCK], uint8_t data[PICTURE_BLOCK])
{
    (void)chain;
    (void)data;
    return VECTOR_THERE;
}
