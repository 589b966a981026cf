/* SPDX-License-Identifier: BSD-3-Clause */
/** @file xtea.h
 *  XTEA (R. Needham, D. Wheeler, "Tea extensions", 1997): blocks of 8 octets, keys of 16, 64 rounds.
 *  Words are big-endian, as in most implementations; the report leaves it open.
 *
 *  Constant time: no branch and no address depends on key or block. */
#ifndef WARDMOTE_XTEA_H
#define WARDMOTE_XTEA_H

#include <stdint.h>

/** Expanded key, 16 octets: four words. Wipe with wm_wipe when the key is retired. */
typedef struct wm_xtea {
    uint32_t k[4];
} wm_xtea;

/** Expands `key` (16 octets) into `ctx`, once per key. */
void wm_xtea_expand(wm_xtea *ctx, const uint8_t key[16]);

/** Encrypts the 8 octets at `block` in place; any alignment. */
void wm_xtea_encrypt(const wm_xtea *ctx, uint8_t block[8]);

#endif
