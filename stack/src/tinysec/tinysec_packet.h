/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a TinySec packet that sender and receiver share. */
#ifndef WM_TINYSEC_PACKET_H
#define WM_TINYSEC_PACKET_H

#include <wardmote/tinysec.h>

#define TINYSEC_BLOCK 8u
#define TINYSEC_HEADER 4u
#define TINYSEC_IV 4u
#define TINYSEC_GROUP 1u
#define TINYSEC_CRC 2u
#define TINYSEC_SECURED 0x80u   /* of the octet `length` */
#define TINYSEC_ENCRYPTED 0x40u /* with the bit above */
#define TINYSEC_LENGTH 0x3Fu

/** Octets between IV and tag of an AE packet: at least a block. */
static inline uint8_t wm_tinysec_ciphertext(uint8_t data_octets)
{
    return data_octets < TINYSEC_BLOCK ? TINYSEC_BLOCK : data_octets;
}

/** Encrypts a block, and leaves nothing of it on the stack. */
void wm_tinysec_encrypt(const wm_cipher *cipher, wm_block128 *block);

/** Whether the cipher has failed since this was last asked: WM_OK or WM_ERR_ENGINE. */
wm_status wm_tinysec_engine(const wm_cipher *cipher);

/** Begins CBC-CS3: `chain` becomes the encrypted IV, from the header and the iv of a packet. */
void wm_tinysec_cbc_begin(const wm_cipher *cipher, wm_tinysec_profile profile,
                          const uint8_t packet[8], wm_block128 *chain);

/** Encrypts all `len` octets, 8 or more. Wipes the chain. */
void wm_tinysec_cbc_encrypt(const wm_cipher *cipher, wm_block128 *chain, uint8_t *data,
                            uint8_t len);

/** Decrypts a block, `len` = 8; or the last two, 9 to 16 octets. */
void wm_tinysec_cbc_decrypt(const wm_cipher *cipher, wm_block128 *chain, uint8_t *data,
                            uint8_t len);

/** Begins the tag of a packet of `octets` from its header up to the tag, the iv or the zeros in its
 *  place included. */
void wm_tinysec_mac_init(wm_tinysec_mac *mac, const wm_cipher *cipher, wm_tinysec_profile profile,
                         uint8_t octets);

/** Takes the next octets. */
void wm_tinysec_mac_update(wm_tinysec_mac *mac, const uint8_t *octets, uint8_t len);

/** Takes the four zeros that stand for the iv of an Auth packet. */
void wm_tinysec_mac_no_iv(wm_tinysec_mac *mac);

/** Ends the tag, and wipes `mac`.
 *  @retval WM_ERR_ENGINE  the cipher failed: there is no tag */
wm_status wm_tinysec_mac_final(wm_tinysec_mac *mac, uint8_t tag[WM_TINYSEC_TAG_LEN]);

/** CRC of TinyOS's packets: x^16 + x^12 + x^5 + 1, most significant bit first, from 0. */
uint16_t wm_tinysec_crc(uint16_t crc, const uint8_t *octets, uint8_t len);

#endif
