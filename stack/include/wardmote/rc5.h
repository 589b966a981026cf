/* SPDX-License-Identifier: BSD-3-Clause */
/** @file rc5.h
 *  RC5-32/12/b (R. L. Rivest, "The RC5 encryption algorithm", FSE 1994; RFC 2040): words of 32
 *  bits, 12 rounds, so blocks of 8 octets, little-endian; keys of b = 1..16 octets. For comparison
 *  and for TinySec's frames, which have b = 8: blocks of 64 bits are too few for much traffic under
 *  one key.
 *
 *  No branch and no address depends on key or block. Rotations by amounts that depend on them are
 *  one instruction with a barrel shifter; without, masked steps or products of fixed length. */
#ifndef WARDMOTE_RC5_H
#define WARDMOTE_RC5_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_RC5_ROUNDS 12
#define WM_RC5_KEY_MAX 16

/** Expanded key, 104 octets: S of the specification. Wipe with wm_wipe when the key is retired. */
typedef struct wm_rc5 {
    uint32_t s[2 * (WM_RC5_ROUNDS + 1)];
} wm_rc5;

/** Expands `key` of `key_len` octets into `ctx`, once per key; it costs several times what a block
 *  does.
 *  @retval WM_ERR_PARAM  key_len is not in 1..16; ctx is untouched */
WM_NODISCARD wm_status wm_rc5_expand(wm_rc5 *ctx, const uint8_t *key, size_t key_len);

/** Encrypts the 8 octets at `block` in place; any alignment. */
void wm_rc5_encrypt(const wm_rc5 *ctx, uint8_t block[8]);

/** Decrypts the 8 octets at `block` in place; any alignment. */
void wm_rc5_decrypt(const wm_rc5 *ctx, uint8_t block[8]);

/** A key for the modes, which take `&key.cipher`. Zeros are no key. Wipe with wm_wipe when it is
 *  retired. */
typedef struct wm_rc5_key {
    wm_cipher cipher;
    wm_rc5 schedule;
} wm_rc5_key;

/** Makes a key that encrypts from `len` octets.
 *  @retval WM_ERR_PARAM  len is not in 1..16; the modes refuse the key */
WM_NODISCARD wm_status wm_rc5_init(wm_rc5_key *key, const uint8_t *octets, size_t len);

/** Makes a key for both directions; as wm_rc5_init. */
WM_NODISCARD wm_status wm_rc5_init_both(wm_rc5_key *key, const uint8_t *octets, size_t len);

WM_C_END

#endif
