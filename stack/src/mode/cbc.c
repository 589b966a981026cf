/* SPDX-License-Identifier: BSD-3-Clause */
/* CBC and CBC-CS3.
 * References: NIST SP 800-38A §6.2 and its addendum "Three variants of ciphertext stealing for
 * CBC mode". Names of both in comments: P_j and C_j are blocks, C_0 is the initialisation
 * vector.
 * Invariants: what is done depends on lengths only. All calls of the cipher within one call of a mode
 * are from one frame: where a cipher leaves a register or two, the next block overwrites them. */
#include <wardmote/cbc.h>
#include <wardmote/ct.h>
#include "../util/compiler.h"
#include "../util/xor.h"
#include "bound.h"

/* `len` modulo 12 without a division, which the small CPUs have not: 16 is 4 modulo 12. */
WM_NOINLINE static uint8_t rest_of_12(size_t len)
{
    while (len >= 48) {
        len = 4 * (len >> 4) + (len & 15);
    }
    while (len >= 12) {
        len -= 12;
    }
    return (uint8_t)len;
}

/* `len` modulo the block: a mask but for blocks of 12 octets. */
static inline uint8_t rest_of(size_t len, uint8_t b)
{
    return b == 12 ? rest_of_12(len) : (uint8_t)(len & (b - 1));
}

/* C_j = CIPH(P_j ^ C_{j-1}) for whole blocks; `chain` goes from C_{j-1} to C_j. */
WM_ALWAYS_INLINE static inline void encrypt_blocks(const wm_cipher *cipher, uint8_t b,
                                                   wm_block128 *chain, uint8_t *data,
                                                   const uint8_t *end)
{
    for (; data != end; data += b) {
        wm_xor(chain->octet, data, b);
        cipher->ops->encrypt(wm_cipher_schedule(cipher), chain);
        wm_copy(data, chain->octet, b);
        WM_STEP_BY_STEP(data);
    }
}

/* P_j = CIPH^-1(C_j) ^ C_{j-1} for whole blocks; `chain` goes from C_{j-1} to C_j. */
WM_ALWAYS_INLINE static inline void decrypt_blocks(const wm_cipher *cipher, uint8_t *chain,
                                                   uint8_t *data, size_t len)
{
    uint8_t b = cipher->ops->block_octets;
    wm_block128 block;
    for (; len != 0; len -= b) {
        wm_copy(block.octet, data, b);
        cipher->ops->decrypt(wm_cipher_schedule(cipher), &block);
        wm_xor(block.octet, chain, b);
        wm_copy(chain, data, b);
        wm_copy(data, block.octet, b);
        data += b;
    }
    wm_block_wipe(&block);
}

/* Asks an engine. */
WM_NOINLINE static wm_status asked(const wm_cipher *cipher, uint8_t *data, size_t len)
{
    if (!cipher->ops->failed(wm_cipher_schedule(cipher))) {
        return WM_OK;
    }
    wm_wipe(data, len);
    return WM_ERR_ENGINE;
}

/* How a message of `len` octets ended: one that the cipher failed at is wiped. */
WM_ALWAYS_INLINE static inline wm_status end(const wm_cipher *cipher, uint8_t *data, size_t len)
{
    return cipher->ops->failed == NULL ? WM_OK : asked(cipher, data, len);
}

/* The same where the chain goes on from `iv`: an engine that left a block as it was leaves plaintext
 * there. */
WM_NOINLINE static wm_status asked_for_more(const wm_cipher *cipher, uint8_t *iv, uint8_t *data,
                                            size_t len)
{
    wm_status status = asked(cipher, data, len);
    if (status != WM_OK) {
        wm_wipe(iv, cipher->ops->block_octets);
    }
    return status;
}

/* Whether the cipher can do it: in the other direction only a key that was made for both. */
WM_ALWAYS_INLINE static inline wm_status may_begin(const wm_cipher *cipher, bool decrypting)
{
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    return decrypting && cipher->ops->decrypt == NULL ? WM_ERR_PARAM : WM_OK;
}

wm_status wm_cbc_encrypt(const wm_cipher *cipher, uint8_t *iv, uint8_t *data, size_t len)
{
    wm_status status = may_begin(cipher, false);
    if (status != WM_OK) {
        return status;
    }
    uint8_t b = cipher->ops->block_octets;
    if (rest_of(len, b) != 0) {
        return WM_ERR_PARAM;
    }
    wm_block128 chain;
    wm_copy(chain.octet, iv, b);
    encrypt_blocks(cipher, b, &chain, data, data + len);
    wm_copy(iv, chain.octet, b);
    wm_block_wipe(&chain);
    return cipher->ops->failed == NULL ? WM_OK : asked_for_more(cipher, iv, data, len);
}

wm_status wm_cbc_decrypt(const wm_cipher *cipher, uint8_t *iv, uint8_t *data, size_t len)
{
    wm_status status = may_begin(cipher, true);
    if (status != WM_OK) {
        return status;
    }
    if (rest_of(len, cipher->ops->block_octets) != 0) {
        return WM_ERR_PARAM;
    }
    decrypt_blocks(cipher, iv, data, len);
    return end(cipher, data, len);
}

/* Octets of the last block of a message of at least one block: 1..b. */
static inline uint8_t last_octets(size_t len, uint8_t b)
{
    return (uint8_t)(rest_of(len - 1, b) + 1);
}

wm_status wm_cbc_cs3_encrypt(const wm_cipher *cipher, const uint8_t *iv, uint8_t *data, size_t len)
{
    wm_status status = may_begin(cipher, false);
    if (status != WM_OK) {
        return status;
    }
    uint8_t b = cipher->ops->block_octets;
    if (len < b) {
        return WM_ERR_PARAM;
    }
    uint8_t d = len == b ? 0 : last_octets(len, b);
    wm_block128 chain;
    wm_copy(chain.octet, iv, b);
    encrypt_blocks(cipher, b, &chain, data, data + (len - d));
    if (d == 0) {
        wm_block_wipe(&chain);
        return end(cipher, data, len);
    }
    /* C_n = CIPH(P_n padded with zeros ^ C_{n-1}) stands before the first d octets of C_{n-1}. */
    uint8_t *tail = data + (len - d);
    for (uint8_t i = 0; i < d; i++) {
        uint8_t p = tail[i];
        tail[i] = chain.octet[i];
        chain.octet[i] ^= p;
    }
    cipher->ops->encrypt(wm_cipher_schedule(cipher), &chain);
    wm_copy(tail - b, chain.octet, b);
    wm_block_wipe(&chain);
    return end(cipher, data, len);
}

/* The last two blocks; the second has `d` octets at `tail`; `chain` is C_{n-2}. CIPH^-1(C_n) is P_n
 * padded with zeros ^ C_{n-1}: with the first d octets of C_{n-1} in hand, P_n and the rest. */
WM_ALWAYS_INLINE static inline void decrypt_tail(const wm_cipher *cipher, const uint8_t *chain,
                                                 uint8_t *tail, uint8_t d)
{
    uint8_t b = cipher->ops->block_octets;
    wm_block128 block;
    wm_copy(block.octet, tail - b, b);
    cipher->ops->decrypt(wm_cipher_schedule(cipher), &block);
    for (uint8_t i = 0; i < d; i++) {
        uint8_t c = tail[i];
        tail[i] = block.octet[i] ^ c;
        block.octet[i] = c;
    }
    cipher->ops->decrypt(wm_cipher_schedule(cipher), &block); /* of C_{n-1} */
    wm_xor(block.octet, chain, b);
    wm_copy(tail - b, block.octet, b);
    wm_block_wipe(&block);
}

wm_status wm_cbc_cs3_decrypt(const wm_cipher *cipher, const uint8_t *iv, uint8_t *data, size_t len)
{
    wm_status status = may_begin(cipher, true);
    if (status != WM_OK) {
        return status;
    }
    uint8_t b = cipher->ops->block_octets;
    if (len < b) {
        return WM_ERR_PARAM;
    }
    uint8_t d = len == b ? 0 : last_octets(len, b);
    wm_block128 chain;
    wm_copy(chain.octet, iv, b);
    decrypt_blocks(cipher, chain.octet, data, d == 0 ? b : len - d - b);
    if (d != 0) {
        decrypt_tail(cipher, chain.octet, data + (len - d), d);
    }
    wm_block_wipe(&chain);
    return end(cipher, data, len);
}
