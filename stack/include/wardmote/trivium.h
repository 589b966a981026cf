/* SPDX-License-Identifier: BSD-3-Clause */
/** @file trivium.h
 *  Trivium (C. De Cannière, B. Preneel, eSTREAM 2005; ISO/IEC 29192-3): a stream cipher with keys
 *  and initial values of 10 octets. At most 2^64 bits of keystream under one pair. It encrypts and
 *  does not authenticate: an attacker who changes a bit of the ciphertext changes that bit of the
 *  plaintext. For comparison.
 *
 *  Order of bits as in the eSTREAM vectors: K_1 is the most significant bit of the last octet of
 *  the key, likewise for the initial value; the first bit of the keystream is the least significant
 *  of its first octet. An initial value of 8 octets goes with two octets of zero before it. No
 *  branch and no address depends on key, initial value or data. */
#ifndef WARDMOTE_TRIVIUM_H
#define WARDMOTE_TRIVIUM_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

#define WM_TRIVIUM_KEY_LEN 10
#define WM_TRIVIUM_IV_LEN 10

/** State of one keystream: at most 48 octets. Holds no pointer. Wipe with wm_wipe when the stream
 *  is done. */
typedef struct wm_trivium {
    /** The registers s_1..s_93, s_94..s_177 and s_178..s_288, last bit first, in 96, 96 and 128
     *  bits. */
    union {
        uint16_t half[20];
        uint32_t word[10];
    } state;
    uint32_t rest; /**< what is left of the last 32 bits of keystream */
    uint8_t left;  /**< octets of that */
} wm_trivium;

/** Begins the keystream of a key and an initial value, which never comes twice under one key: 1 152
 *  steps. */
void wm_trivium_init(wm_trivium *ctx, const uint8_t key[10], const uint8_t iv[10]);

/** Takes the exclusive or of the next `len` octets of keystream into `data`: encrypts
 *  and decrypts. Any alignment; pieces of any length. */
void wm_trivium_crypt(wm_trivium *ctx, uint8_t *data, size_t len);

WM_C_END

#endif
