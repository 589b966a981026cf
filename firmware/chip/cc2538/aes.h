/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aes.h
 *  The CC2538's security engine: AES-128 of blocks and CCM of messages, data by DMA from and to
 *  RAM, keys in its key store. One operation at a time; the CPU waits for it. The engine starts
 *  with the first key; after clock_power_down, which takes its keys, it gets them back with the
 *  first operation. */
#ifndef CHIP_CC2538_AES_H
#define CHIP_CC2538_AES_H

#include <stdbool.h>
#include <stdint.h>

#define AES_KEY_AREAS 2 /**< of the 8 that the key store has: so many keys are kept here too */

/** Puts a key into area 0 or 1 of the key store.
 *  @retval false  the engine refuses it: operations with it fail until the engine takes it */
bool aes_key(uint8_t area, const uint8_t key[16]);

/** Blocks follow. After clock_power_down this comes before the next block: it gives the engine its
 *  clock and keys back. A block that has failed before stays a failure until aes_blocks_end. */
void aes_blocks_begin(void);

/** Encrypts a block in place with the key in `area`. After a block that failed it does nothing until
 *  aes_blocks_end, and aes_blocks_begin again. */
void aes_block(uint8_t area, uint32_t block[4]);

/** The engine rests.
 *  @retval false  it has failed at a block since this was last asked, had no clock, or did not begin */
bool aes_blocks_end(void);

/** One CCM operation (RFC 3610, L = 2), or CTR alone when mic_len is 0. */
typedef struct aes_ccm {
    uint8_t area;
    bool encrypt;
    uint8_t mic_len;      /**< 0, 4, 8 or 16; 0 wants a_len = 0: nothing would authenticate a */
    uint8_t a_len, m_len; /**< not both 0: the engine would never come to an end */
    const uint8_t *nonce; /**< 13 octets */
} aes_ccm;

/** Begins an operation; the engine reads a, which must not change, until aes_ccm_message or
 *  aes_ccm_end. */
void aes_ccm_begin(const aes_ccm *op, const uint8_t *a);

/** When a is read: lets the engine read m and write its `m_len` (at least 1) octets to `out`, which
 *  may be m itself. */
void aes_ccm_message(const aes_ccm *op, const uint8_t *m, uint8_t *out);

/** Waits for the end and gives the encrypted MIC, 16 octets whatever mic_len says; with mic_len 0,
 *  anything, and only `out` tells whether the engine has done its work.
 *  @retval false  the engine failed; nothing of `out` may be used */
bool aes_ccm_end(const aes_ccm *op, uint32_t mic[4]);

#endif
