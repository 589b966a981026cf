/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aes_key.h
 *  Keys of AES for IPsec: of the CPU, by tables, or of the board's engine (engine.h), which keeps two
 *  keys and takes a third in the place of the one not used last. */
#ifndef IMAGE_IPSEC_NODE_AES_KEY_H
#define IMAGE_IPSEC_NODE_AES_KEY_H

#include <stdbool.h>
#include <wardmote/aes128.h>

/** A key that the engine is given when it needs it. */
typedef struct engine_key {
    wm_cipher cipher;
    uint8_t schedule[16]; /* the key itself */
} engine_key_t;

/** A key that encrypts. */
typedef union ipsec_key {
    wm_cipher cipher;
    wm_aes128_tab_key cpu;
    engine_key_t engine;
} ipsec_key;

/** A key for both directions. The CPU decrypts without tables but an S-box: for least flash. */
typedef struct ipsec_both_key {
    wm_cipher cipher;
    struct {
        uint8_t octets[16]; /* first: the engine's functions take them */
        wm_aes128 cpu;
    } schedule;
} ipsec_both_key;

/** Makes it from 16 octets. */
wm_cipher *ipsec_key_make(ipsec_key *key, const uint8_t octets[16], bool engine);

/** The same. */
wm_cipher *ipsec_both_key_make(ipsec_both_key *key, const uint8_t octets[16], bool engine);

#endif
