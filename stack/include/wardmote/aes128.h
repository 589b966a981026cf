/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aes128.h
 *  AES-128 encryption (FIPS 197). Two variants with the same function set:
 *
 *  | variant | tables        | meant for |
 *  | ------- | ------------- | --------- |
 *  | small   | S-box, 256 B  | least flash; field arithmetic without branches |
 *  | tab     | 2 KiB + S-box | most speed on 16- and 32-bit CPUs |
 *
 *  On the MSP430 `tab` is assembly (stack/arch/msp430), with the C of src/cipher/aes128_tab.c as its reference.
 *  Neither has a branch that depends on key or block; tests compare cycles and program-counter traces of the binary.
 *  Both index tables by secrets: equal time on CPUs without a data cache (MSP430, AVR), not on others.
 *  The expanded key has one form for both, so either variant can encrypt with a key the other expanded. */
#ifndef WARDMOTE_AES128_H
#define WARDMOTE_AES128_H

#include <stdint.h>
#include <wardmote/block128.h>

/** Expanded key: round keys 0..10 in the order of FIPS 197 §5.2. Wipe with wm_wipe when the key is retired. */
typedef struct wm_aes128 {
    wm_block128 round_key[11];
} wm_aes128;

/** Expands `key` (16 octets) into `ctx`, once per key. Same result for every software variant. */
void wm_aes128_expand(wm_aes128 *ctx, const uint8_t key[16]);

/** Encrypts one block in place with the `small` variant. Stack on the MSP430: at most 48 octets with either variant;
 *  octets of the state may stay in it. */
void wm_aes128_small_encrypt(const wm_aes128 *ctx, wm_block128 *block);

/** Encrypts one block in place with the `tab` variant. */
void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block);

/** Descriptors for the modes; their `key` is a `const wm_aes128 *`. */
extern const wm_cipher128 wm_aes128_small;
extern const wm_cipher128 wm_aes128_tab;

#endif
