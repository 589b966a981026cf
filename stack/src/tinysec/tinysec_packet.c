/* SPDX-License-Identifier: BSD-3-Clause */
/* What sender and receiver of TinySec share: the cipher and the CRC.
 * References: the paper, section 5.3. */
#include "tinysec_packet.h"
#include "../mode/bound.h"
#include "../util/dead_stack.h"

WM_DEAD_STACK(16 * sizeof(unsigned)) /* the cipher */

void wm_tinysec_encrypt(const wm_cipher *cipher, wm_block128 *block)
{
    cipher->ops->encrypt(wm_cipher_schedule(cipher), block);
    wipe_dead_stack();
}

wm_status wm_tinysec_engine(const wm_cipher *cipher)
{
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
