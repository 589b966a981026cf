/* SPDX-License-Identifier: BSD-3-Clause */
/** @file skipjack.h
 *  Skipjack (SKIPJACK and KEA Algorithm Specifications, version 2.0, NSA 1998): blocks of 8 octets,
 *  keys of 10. For comparison and for TinySec's frames only: 80 bits of key are too few today.
 *
 *  No branch depends on key or block. Both index the table F (256 octets). It takes equal time
 *  where every octet of a table is equally near (MSP430, AVR, tables in RAM or in flash without
 *  wait states), but not behind a cache or a prefetch buffer. */
#ifndef WARDMOTE_SKIPJACK_H
#define WARDMOTE_SKIPJACK_H

#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

#define WM_SKIPJACK_KEY_LEN 10

/** Expanded key, 12 octets: the cryptovariable cv0..cv9, then cv0 and cv1 again, so that the four
 *  octets of each step lie in a row. Wipe with wm_wipe when the key is retired. */
typedef struct wm_skipjack {
    uint8_t cv[12];
} wm_skipjack;

/** Expands `key` (10 octets) into `ctx`, once per key. TinySec's keys of 8 octets have two octets
 *  of zero behind them. */
void wm_skipjack_expand(wm_skipjack *ctx, const uint8_t key[10]);

/** Encrypts the 8 octets at `block` in place; any alignment. */
void wm_skipjack_encrypt(const wm_skipjack *ctx, uint8_t block[8]);

/** Decrypts the 8 octets at `block` in place; any alignment. */
void wm_skipjack_decrypt(const wm_skipjack *ctx, uint8_t block[8]);

/** The same in least flash: one function does a step and is called 32 times. */
void wm_skipjack_small_encrypt(const wm_skipjack *ctx, uint8_t block[8]);

/** The reverse of wm_skipjack_small_encrypt. */
void wm_skipjack_small_decrypt(const wm_skipjack *ctx, uint8_t block[8]);

/** A key for the modes, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_skipjack_key {
    wm_cipher cipher;
    wm_skipjack schedule;
} wm_skipjack_key;

/** Makes a key that encrypts from 10 octets. */
void wm_skipjack_init(wm_skipjack_key *key, const uint8_t octets[10]);

/** Makes a key for both directions. */
void wm_skipjack_init_both(wm_skipjack_key *key, const uint8_t octets[10]);

/** A key for the modes in the same least flash, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_skipjack_small_key {
    wm_cipher cipher;
    wm_skipjack schedule;
} wm_skipjack_small_key;

/** Makes a key that encrypts from 10 octets. */
void wm_skipjack_small_init(wm_skipjack_small_key *key, const uint8_t octets[10]);

/** Makes a key for both directions. */
void wm_skipjack_small_init_both(wm_skipjack_small_key *key, const uint8_t octets[10]);

WM_C_END

#endif
