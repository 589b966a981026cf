/* SPDX-License-Identifier: BSD-3-Clause */
/** @file curupira2.h
 *  Curupira-2 with keys of 96 bits (Simplicio, Barreto, Carvalho, Margi, Naslund, "The CURUPIRA-2
 *  block cipher for constrained platforms", CEUR-WS 397, 2008): blocks of 12 octets, 10 rounds. The
 *  rounds are those of Curupira-1; the key schedule is a multiplication in GF(2^96).
 *
 *  Keys of 144 and 192 bits are left out: no vector of them agrees with the paper's definition. It
 *  is here for comparison: the cipher was made for motes, and few have analysed it since.
 *  curupira.h describes time and tables. */
#ifndef WARDMOTE_CURUPIRA2_H
#define WARDMOTE_CURUPIRA2_H

#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/curupira.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Expanded key, 132 octets: round keys 0..10, row by row. Wipe with wm_wipe when the key is
 *  retired. */
typedef struct wm_curupira2 {
    wm_block96 round_key[11];
} wm_curupira2;

/** Expands `key` (12 octets, the most significant of the field element first) into `ctx`, once per
 *  key. */
void wm_curupira2_expand(wm_curupira2 *ctx, const uint8_t key[12]);

/** Encrypts the 12 octets at `block` in place; any alignment. */
void wm_curupira2_encrypt(const wm_curupira2 *ctx, uint8_t block[12]);

/** Decrypts the 12 octets at `block` in place, with the same expanded key; any alignment. */
void wm_curupira2_decrypt(const wm_curupira2 *ctx, uint8_t block[12]);

/** A key for the modes, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_curupira2_key {
    wm_cipher cipher;
    wm_curupira2 schedule;
} wm_curupira2_key;

/** Makes a key that encrypts from 12 octets. */
void wm_curupira2_init(wm_curupira2_key *key, const uint8_t octets[12]);

/** Makes a key for both directions. */
void wm_curupira2_init_both(wm_curupira2_key *key, const uint8_t octets[12]);

WM_C_END

#endif
