/* SPDX-License-Identifier: BSD-3-Clause */
/** @file curupira1.h
 *  Curupira-1 (Barreto, Simplicio, "CURUPIRA, a block cipher for constrained platforms", SBRC
 *  2007): blocks of 12 octets; keys of 12, 18 or 24 octets with 10, 14 or 18 rounds.
 *
 *  It is here for comparison: the cipher was made for motes, and few have analysed it since.
 *  curupira.h describes time and tables. */
#ifndef WARDMOTE_CURUPIRA1_H
#define WARDMOTE_CURUPIRA1_H

#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/curupira.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Expanded key of 96 bits, 132 octets: round keys 0..10, row by row. Wipe with wm_wipe when the
 *  key is retired. */
typedef struct wm_curupira1_96 {
    wm_block96 round_key[11];
} wm_curupira1_96;

/** Expanded key of 144 bits, 180 octets: round keys 0..14. */
typedef struct wm_curupira1_144 {
    wm_block96 round_key[15];
} wm_curupira1_144;

/** Expanded key of 192 bits, 228 octets: round keys 0..18. */
typedef struct wm_curupira1_192 {
    wm_block96 round_key[19];
} wm_curupira1_192;

/** Expands `key` of 12 octets into `ctx`, once per key. */
void wm_curupira1_96_expand(wm_curupira1_96 *ctx, const uint8_t key[12]);

/** Expands `key` of 18 octets into `ctx`, once per key. */
void wm_curupira1_144_expand(wm_curupira1_144 *ctx, const uint8_t key[18]);

/** Expands `key` of 24 octets into `ctx`, once per key. */
void wm_curupira1_192_expand(wm_curupira1_192 *ctx, const uint8_t key[24]);

/** Encrypts the 12 octets at `block` in place; any alignment. */
void wm_curupira1_96_encrypt(const wm_curupira1_96 *ctx, uint8_t block[12]);

/** Encrypts the 12 octets at `block` in place; any alignment. */
void wm_curupira1_144_encrypt(const wm_curupira1_144 *ctx, uint8_t block[12]);

/** Encrypts the 12 octets at `block` in place; any alignment. */
void wm_curupira1_192_encrypt(const wm_curupira1_192 *ctx, uint8_t block[12]);

/** Decrypts the 12 octets at `block` in place, with the same expanded key; any alignment. */
void wm_curupira1_96_decrypt(const wm_curupira1_96 *ctx, uint8_t block[12]);

/** Decrypts the 12 octets at `block` in place, with the same expanded key; any alignment. */
void wm_curupira1_144_decrypt(const wm_curupira1_144 *ctx, uint8_t block[12]);

/** Decrypts the 12 octets at `block` in place, with the same expanded key; any alignment. */
void wm_curupira1_192_decrypt(const wm_curupira1_192 *ctx, uint8_t block[12]);

/** A key for the modes, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_curupira1_96_key {
    wm_cipher cipher;
    wm_curupira1_96 schedule;
} wm_curupira1_96_key;

/** Makes a key that encrypts from 12 octets. */
void wm_curupira1_96_init(wm_curupira1_96_key *key, const uint8_t octets[12]);

/** Makes a key for both directions. */
void wm_curupira1_96_init_both(wm_curupira1_96_key *key, const uint8_t octets[12]);

/** A key for the modes, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_curupira1_144_key {
    wm_cipher cipher;
    wm_curupira1_144 schedule;
} wm_curupira1_144_key;

/** Makes a key that encrypts from 18 octets. */
void wm_curupira1_144_init(wm_curupira1_144_key *key, const uint8_t octets[18]);

/** Makes a key for both directions. */
void wm_curupira1_144_init_both(wm_curupira1_144_key *key, const uint8_t octets[18]);

/** A key for the modes, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_curupira1_192_key {
    wm_cipher cipher;
    wm_curupira1_192 schedule;
} wm_curupira1_192_key;

/** Makes a key that encrypts from 24 octets. */
void wm_curupira1_192_init(wm_curupira1_192_key *key, const uint8_t octets[24]);

/** Makes a key for both directions. */
void wm_curupira1_192_init_both(wm_curupira1_192_key *key, const uint8_t octets[24]);

WM_C_END

#endif
