/* SPDX-License-Identifier: BSD-3-Clause */
/** @file grain_v1.h
 *  Grain v1 (M. Hell, T. Johansson, W. Meier, eSTREAM 2006): a stream cipher with keys of 10 and
 *  initial values of 8 octets. It encrypts and does not authenticate: an attacker who changes a bit
 *  of the ciphertext changes that bit of the plaintext. For comparison: 80 bits of key are too few
 *  today, and attacks on the full cipher are known.
 *
 *  Every string of octets is a string of bits with the least significant bit of each octet first.
 *  No branch and no address depends on key, initial value or data. */
#ifndef WARDMOTE_GRAIN_V1_H
#define WARDMOTE_GRAIN_V1_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

#define WM_GRAIN_V1_KEY_LEN 10
#define WM_GRAIN_V1_IV_LEN 8

/** State of one keystream: at most 24 octets. Holds no pointer. Wipe with wm_wipe when the stream
 *  is done. */
typedef struct wm_grain_v1 {
    uint16_t nfsr[5]; /**< b_i..b_{i+79} */
    uint16_t lfsr[5]; /**< s_i..s_{i+79} */
    uint16_t rest;    /**< what is left of the last 16 bits of keystream */
    uint8_t left;     /**< octets of that */
} wm_grain_v1;

/** Begins the keystream of a key and an initial value, which never comes twice under one key: 160
 *  steps. */
void wm_grain_v1_init(wm_grain_v1 *ctx, const uint8_t key[10], const uint8_t iv[8]);

/** Takes the exclusive or of the next `len` octets of keystream into `data`: encrypts
 *  and decrypts. Any alignment; pieces of any length. */
void wm_grain_v1_crypt(wm_grain_v1 *ctx, uint8_t *data, size_t len);

WM_C_END

#endif
