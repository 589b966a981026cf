/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of every library: set up the key, then do one block and one frame of link security. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#define A_OCTETS 35
#define M_OCTETS 86
#define TAG_OCTETS 4
#define NONCE_OCTETS 13

/** Expands the key and keeps it for the others. */
void library_key(const uint8_t key[16]);

/** Encrypts one block in place. */
void library_block(uint8_t block[16]);

/** CCM*: encrypts m in place and writes the tag. */
void library_seal(const uint8_t nonce[NONCE_OCTETS], const uint8_t a[A_OCTETS], uint8_t m[M_OCTETS],
                  uint8_t tag[TAG_OCTETS]);

#endif
