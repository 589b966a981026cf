/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aead.h
 *  The AEAD of an image: aead_ccm.c or aead_ascon.c. One packet is made and one is taken at a time. */
#ifndef FIRMWARE_TINYSEC_AEAD_H
#define FIRMWARE_TINYSEC_AEAD_H

#include <stdint.h>
#include <wardmote/status.h>

#define AEAD_KEY 16u
#define AEAD_HEADER 8u /**< octets before the data: with zeros behind, the nonce */
#define AEAD_DATA 4u   /**< of these, associated data: dst, type, length */
#define AEAD_TAG_MAX 16u

typedef enum aead_way { AEAD_MAKE, AEAD_TAKE, AEAD_WAYS } aead_way;

/** Octets of a tag. */
uint8_t aead_tag(void);

/** Takes the key. */
void aead_start(const uint8_t key[AEAD_KEY]);

/** Begins a packet with so many octets of data. A packet that was begun the same way is given up. */
wm_status aead_begin(aead_way way, const uint8_t header[AEAD_HEADER], uint8_t len);

/** Encrypts or decrypts the next octets of the data in place. */
wm_status aead_pass(aead_way way, uint8_t *octets, uint8_t len);

/** Writes the tag, or compares it.
 *  @retval WM_ERR_SECURITY  it is wrong: what was decrypted is nobody's */
wm_status aead_end(aead_way way, uint8_t *tag);

#endif
