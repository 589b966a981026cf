/* SPDX-License-Identifier: BSD-3-Clause */
/* Each adapter defines one of these. It covers all the work from a message and a raw key to the
 * result. */
#ifndef PRIMITIVES_H
#define PRIMITIVES_H

#include <stddef.h>
#include <stdint.h>

#define JOIN3(a, b, c) a##b##c
#define NAME(a, b, c) JOIN3(a, b, c)

/** Digest of a message. */
void hash(const uint8_t *m, uint16_t octets, uint8_t *digest);

/** Code of a message under a key of 16 octets, from the key on. */
void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag);

/** Encrypts m in place and writes its tag, from the key on, without associated data. */
void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag);

/** Takes the keystream into m, from the key on. */
void stream(const uint8_t *key, const uint8_t *iv, uint8_t *m, uint16_t octets);

/** Both of the next in one call; the profile of the call tells them apart. */
void block(const uint8_t *key, uint8_t *octets);

/** Expands the key and keeps it. */
void library_key(const uint8_t *key);

/** Encrypts one block in place. */
void library_block(uint8_t *octets);

#endif
