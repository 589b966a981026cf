/* SPDX-License-Identifier: BSD-3-Clause */
/** @file aes128.h
 *  AES-128 (FIPS 197): encryption in four variants, decryption in `small` and `tab`.
 *
 *  | variant | tables        | meant for |
 *  | ------- | ------------- | --------- |
 *  | lean    | S-box, 256 B  | least flash and RAM: makes round keys anew with each block |
 *  | small   | S-box, 256 B  | little flash; field arithmetic without branches |
 *  | tab     | 2 KiB + S-box | most speed; 1 KiB + S-box on ARMv7-M, 256 B + S-box on the AVR |
 *  | fix     | none          | constant time with any memory; two blocks at once, for 32-bit CPUs |
 *
 *  `tab` and the key expansion are assembly on the MSP430, the AVR and ARMv7-M, `small` on the AVR,
 *  `fix` on ARMv7-M, `lean` on the MSP430 (stack/arch), with the C of src/cipher as reference. None
 *  has a branch that depends on key or block; tests compare cycles and program-counter traces of the
 *  binary. Secrets index the tables of `lean`, `small` and `tab`. They take equal time where every
 *  octet of a table is equally near (MSP430, AVR, tables in RAM or in flash without wait states),
 *  but not behind a cache or a prefetch buffer. `fix` and its key expansion have no address that
 *  depends on secrets either; tests compare the addresses as well. `small` and `tab` share one form
 *  of expanded key, so each can encrypt with a key that the other expanded. Decryption by `tab`
 *  takes a key of its own form and as many tables again; on the AVR it takes only the inverse S-box.
 */
#ifndef WARDMOTE_AES128_H
#define WARDMOTE_AES128_H

#include <stdint.h>
#include <wardmote/block128.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Expanded key: round keys 0..10 in the order of FIPS 197 §5.2. Wipe with wm_wipe when the key is
 *  retired. */
typedef struct wm_aes128 {
    wm_block128 round_key[11];
} wm_aes128;

/** Expands `key` (16 octets) into `ctx`, once per key. Same result for every software variant. */
void wm_aes128_expand(wm_aes128 *ctx, const uint8_t key[16]);

/** Encrypts one block in place with the `small` variant. */
void wm_aes128_small_encrypt(const wm_aes128 *ctx, wm_block128 *block);

/** Decrypts one block in place: the inverse cipher of FIPS 197 §5.3, from the expanded key that
 *  encrypts. Its only table is the inverse S-box, 256 octets, which an image holds only where it
 *  decrypts blocks. Branches, addresses and stack: as the `small` variant. */
void wm_aes128_small_decrypt(const wm_aes128 *ctx, wm_block128 *block);

/** Encrypts one block in place with the `tab` variant. */
void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block);

/** Encrypts one block in place with the `lean` variant, by the key as it is: its 16 octets. */
void wm_aes128_lean_encrypt(const wm_block128 *key, wm_block128 *block);

/** Expanded key that decrypts by `tab`, and encrypts: its first member is what every other call
 *  here takes. Wipe it when the key is retired. */
typedef struct wm_aes128_two_way {
    wm_aes128 forward;
    /** round keys of the equivalent inverse cipher (FIPS 197 §5.3.5) in the order of use */
    wm_block128 inverse[11];
} wm_aes128_two_way;

/** Expands `key` (16 octets) into `ctx`, once per key. Costs more than a block or two. */
void wm_aes128_tab_expand_inverse(wm_aes128_two_way *ctx, const uint8_t key[16]);

/** Decrypts one block in place with the `tab` variant: the equivalent inverse cipher. An image
 *  holds its tables only where it calls this. */
void wm_aes128_tab_decrypt(const wm_aes128_two_way *ctx, wm_block128 *block);

/** Expanded key of `fix`: round keys 0..10 as slices (src/cipher/aes128_fix_slice.h). Wipe it when
 *  the key is retired. */
typedef struct wm_aes128_slices {
    uint32_t round_key[11][8];
} wm_aes128_slices;

/** Expands `key` (16 octets) into `ctx` for `fix`, once per key. */
void wm_aes128_fix_expand(wm_aes128_slices *ctx, const uint8_t key[16]);

/** Encrypts two blocks in place with the `fix` variant. Both may be one and the same block. */
void wm_aes128_fix_encrypt2(const wm_aes128_slices *ctx, wm_block128 *first, wm_block128 *second);

/** Encrypts one block in place with the `fix` variant, in the time of two. */
void wm_aes128_fix_encrypt(const wm_aes128_slices *ctx, wm_block128 *block);

/** A key of `tab` that encrypts, for the modes: they take `&key.cipher`. Zeros are no key. Wipe it
 *  with wm_wipe when it is retired. */
typedef struct wm_aes128_tab_key {
    wm_cipher cipher;
    wm_aes128 schedule;
} wm_aes128_tab_key;

/** A key of `tab` for both directions. */
typedef struct wm_aes128_tab_both_key {
    wm_cipher cipher;
    wm_aes128_two_way schedule;
} wm_aes128_tab_both_key;

/** A key of `small`. */
typedef struct wm_aes128_small_key {
    wm_cipher cipher;
    wm_aes128 schedule;
} wm_aes128_small_key;

/** A key of `lean`, which only encrypts: 16 octets and a pointer. */
typedef struct wm_aes128_lean_key {
    wm_cipher cipher;
    wm_block128 schedule;
} wm_aes128_lean_key;

/** A key of `fix`, which only encrypts. */
typedef struct wm_aes128_fix_key {
    wm_cipher cipher;
    wm_aes128_slices schedule;
} wm_aes128_fix_key;

/** Makes a key that encrypts from 16 octets. */
void wm_aes128_tab_init(wm_aes128_tab_key *key, const uint8_t octets[16]);

/** The same of `small`. */
void wm_aes128_small_init(wm_aes128_small_key *key, const uint8_t octets[16]);

/** The same of `lean`. */
void wm_aes128_lean_init(wm_aes128_lean_key *key, const uint8_t octets[16]);

/** The same of `fix`. */
void wm_aes128_fix_init(wm_aes128_fix_key *key, const uint8_t octets[16]);

/** Makes a key for both directions, which OCB3 and CBC take to decrypt. An image holds the inverse
 *  cipher only where it calls this. */
void wm_aes128_tab_init_both(wm_aes128_tab_both_key *key, const uint8_t octets[16]);

/** The same of `small`. */
void wm_aes128_small_init_both(wm_aes128_small_key *key, const uint8_t octets[16]);

WM_C_END

#endif
