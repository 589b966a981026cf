/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee_keys.h
 *  How ZigBee makes keys out of keys (05-3474-22 4.5.3, annex B; Base Device Behavior 10.1): the hash of
 *  Matyas, Meyer and Oseas over AES-128, HMAC over that hash, installation codes.
 *
 *  Each call takes a `work`: any key of AES-128 that the CPU holds, such as `&key.cipher` of a
 *  wm_aes128_tab_key that was made. Its own key is gone after the call: it is that of 16 zeros.
 *
 *      wm_aes128_tab_init(&work, zeros);
 *      status = wm_zigbee_derive(&work.cipher, link_key, WM_ZIGBEE_DERIVE_TRANSPORT, octets);
 *      wm_aes128_tab_init(&transport, octets);
 *
 *  On every error the result is left as it was, except that WM_ERR_ENGINE leaves zeros. */
#ifndef WARDMOTE_ZIGBEE_KEYS_H
#define WARDMOTE_ZIGBEE_KEYS_H

#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_ZIGBEE_KEY_LEN 16
#define WM_ZIGBEE_HASH_MOST 8191 /**< octets of the longest message: its bits are counted in 16 */
#define WM_ZIGBEE_INSTALL_CODE_LEN 18 /**< 16, then a CRC of 2 */

/** What is made from a link key. */
typedef enum wm_zigbee_derived {
    WM_ZIGBEE_DERIVE_TRANSPORT = 0x00, /**< the key-transport key: it carries network keys */
    WM_ZIGBEE_DERIVE_LOAD = 0x02,      /**< the key-load key: it carries link keys */
    WM_ZIGBEE_DERIVE_VERIFY = 0x03     /**< the hash in a Verify-Key command */
} wm_zigbee_derived;

/** Link key that every ZigBee product knows, "ZigBeeAlliance09": it hides nothing from anybody. */
extern const uint8_t wm_zigbee_well_known[WM_ZIGBEE_KEY_LEN];

/** AES-MMO (B.1.3, B.6) of `len` octets, at most WM_ZIGBEE_HASH_MOST.
 *  @param digest  may be `data`
 *  @retval WM_ERR_PARAM  too long; or the cipher's blocks have not 16 octets or its key cannot be
 *                        changed
 *  @retval WM_ERR_STATE  `work` was not made
 *  @retval WM_ERR_ENGINE the cipher failed */
WM_NODISCARD wm_status wm_zigbee_hash(wm_cipher *work, const uint8_t *data, uint16_t len,
                                      uint8_t digest[16]);

/** HMAC over that hash (B.1.4), of at most WM_ZIGBEE_HASH_MOST - 16 octets. The same of
 *  parameters and statuses; `mac` may be `key`. */
WM_NODISCARD wm_status wm_zigbee_hmac(wm_cipher *work, const uint8_t key[WM_ZIGBEE_KEY_LEN],
                                      const uint8_t *data, uint16_t len, uint8_t mac[16]);

/** Makes a key, or the hash of Verify-Key, from a link key (4.5.3). `made` may be `link_key`. */
WM_NODISCARD wm_status wm_zigbee_derive(wm_cipher *work, const uint8_t link_key[WM_ZIGBEE_KEY_LEN],
                                        wm_zigbee_derived which, uint8_t made[WM_ZIGBEE_KEY_LEN]);

/** CRC of an installation code: CRC-16/X-25, the least significant octet first behind the code. */
uint16_t wm_zigbee_install_crc(const uint8_t *code, uint8_t len);

/** Makes the link key of an installation code as it is printed: 16 octets and their CRC. Codes of
 *  6, 8 and 12 octets, which Smart Energy has, are refused: too few to keep a secret.
 *  @retval WM_ERR_PARAM  it has not 18 octets, or its CRC is wrong: somebody mistyped it */
WM_NODISCARD wm_status wm_zigbee_install_key(wm_cipher *work, const uint8_t *code, uint8_t len,
                                             uint8_t key[WM_ZIGBEE_KEY_LEN]);

WM_C_END

#endif
