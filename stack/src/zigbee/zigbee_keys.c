/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of ZigBee made from keys.
 * References: 05-3474-22 B.1.3 and B.6 (hash), B.1.4 (HMAC), 4.5.3 (which input makes which key);
 * Base Device Behavior 10.1 (installation codes).
 * Invariant: `work` holds no secret when a call returns. Time depends on lengths only. */
#include <wardmote/zigbee_keys.h>
#include <wardmote/ct.h>
#include "../mode/bound.h"

#define BLOCK 16u
#define LENGTH_AT 14u /* in the last block */
#define IPAD 0x36u
#define OPAD 0x5Cu
#define CRC_POLYNOMIAL 0x8408u /* x^16 + x^12 + x^5 + 1, reflected */

const uint8_t wm_zigbee_well_known[WM_ZIGBEE_KEY_LEN] = {'Z', 'i', 'g', 'B', 'e', 'e', 'A', 'l',
                                                         'l', 'i', 'a', 'n', 'c', 'e', '0', '9'};

typedef struct mmo {
    wm_cipher *work;
    wm_block128 hash, block, out;
    uint16_t octets;
} mmo;

/* Hash_j = E(Hash_{j-1}, M_j) xor M_j */
static void step(mmo *of)
{
    const wm_cipher_ops *ops = of->work->ops;
    of->out = of->block;
    ops->rekey(of->work + 1, of->hash.octet);
    ops->encrypt(of->work + 1, &of->out);
    for (uint8_t i = 0; i < BLOCK; i++) {
        of->hash.octet[i] = of->out.octet[i] ^ of->block.octet[i];
        of->block.octet[i] = 0;
    }
}

static void begin(mmo *of, wm_cipher *work)
{
    of->work = work;
    of->octets = 0;
    for (uint8_t i = 0; i < BLOCK; i++) {
        of->hash.octet[i] = of->block.octet[i] = 0;
    }
}

static void take(mmo *of, const uint8_t *data, uint16_t len)
{
    for (uint16_t i = 0; i < len; i++) {
        of->block.octet[of->octets % BLOCK] = data[i];
        of->octets++;
        if (of->octets % BLOCK == 0) {
            step(of);
        }
    }
}

/* B.6: a bit 1, zeros, and the length in bits in the last two octets of a block. */
static void finish(mmo *of, uint8_t digest[BLOCK])
{
    const uint8_t at = (uint8_t)(of->octets % BLOCK);
    const uint16_t bits = (uint16_t)(of->octets * 8u);
    of->block.octet[at] = 0x80;
    if (at >= LENGTH_AT) {
        step(of);
    }
    of->block.octet[LENGTH_AT] = (uint8_t)(bits >> 8);
    of->block.octet[LENGTH_AT + 1] = (uint8_t)bits;
    step(of);
    for (uint8_t i = 0; i < BLOCK; i++) {
        digest[i] = of->hash.octet[i];
    }
}

static wm_status usable(const wm_cipher *work)
{
    if (!wm_cipher_ready(work)) {
        return WM_ERR_STATE;
    }
    return work->ops->rekey == NULL || work->ops->block_octets != BLOCK ? WM_ERR_PARAM : WM_OK;
}

/* Leaves no secret, and says whether the cipher did its work. */
static wm_status end(mmo *of, uint8_t result[BLOCK])
{
    wm_cipher *const work = of->work;
    wm_wipe(of, sizeof *of);
    work->ops->rekey(work + 1, of->hash.octet);
    if (!wm_cipher_failed(work->ops, work + 1)) {
        return WM_OK;
    }
    wm_wipe(result, BLOCK);
    return WM_ERR_ENGINE;
}

wm_status wm_zigbee_hash(wm_cipher *work, const uint8_t *data, uint16_t len, uint8_t digest[16])
{
    mmo of;
    const wm_status status = usable(work);
    if (status != WM_OK || len > WM_ZIGBEE_HASH_MOST) {
        return status != WM_OK ? status : WM_ERR_PARAM;
    }
    begin(&of, work);
    take(&of, data, len);
    finish(&of, digest);
    return end(&of, digest);
}

wm_status wm_zigbee_hmac(wm_cipher *work, const uint8_t key[WM_ZIGBEE_KEY_LEN], const uint8_t *data,
                         uint16_t len, uint8_t mac[16])
{
    mmo of;
    uint8_t inner[BLOCK], outer[BLOCK];
    const wm_status status = usable(work);
    if (status != WM_OK || len > WM_ZIGBEE_HASH_MOST - BLOCK) {
        return status != WM_OK ? status : WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < BLOCK; i++) {
        inner[i] = key[i] ^ IPAD;
        outer[i] = key[i] ^ OPAD;
    }
    begin(&of, work);
    take(&of, inner, BLOCK);
    take(&of, data, len);
    finish(&of, inner);
    begin(&of, work);
    take(&of, outer, BLOCK);
    take(&of, inner, BLOCK);
    finish(&of, mac);
    wm_wipe(inner, sizeof inner);
    wm_wipe(outer, sizeof outer);
    return end(&of, mac);
}

wm_status wm_zigbee_derive(wm_cipher *work, const uint8_t link_key[WM_ZIGBEE_KEY_LEN],
                           wm_zigbee_derived which, uint8_t made[WM_ZIGBEE_KEY_LEN])
{
    const uint8_t input = (uint8_t)which;
    return wm_zigbee_hmac(work, link_key, &input, 1, made);
}

uint16_t wm_zigbee_install_crc(const uint8_t *code, uint8_t len)
{
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < len; i++) {
        crc ^= code[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            const uint16_t mask = (uint16_t)(0u - (crc & 1u));
            crc = (uint16_t)(crc >> 1 ^ (CRC_POLYNOMIAL & mask));
        }
    }
    return (uint16_t)(crc ^ 0xFFFFu);
}

wm_status wm_zigbee_install_key(wm_cipher *work, const uint8_t *code, uint8_t len,
                                uint8_t key[WM_ZIGBEE_KEY_LEN])
{
    if (len != WM_ZIGBEE_INSTALL_CODE_LEN) {
        return WM_ERR_PARAM;
    }
    const uint16_t crc = wm_zigbee_install_crc(code, WM_ZIGBEE_KEY_LEN);
    if (code[WM_ZIGBEE_KEY_LEN] != (uint8_t)crc || code[WM_ZIGBEE_KEY_LEN + 1] != crc >> 8) {
        return WM_ERR_PARAM;
    }
    return wm_zigbee_hash(work, code, len, key);
}
