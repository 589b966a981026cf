/* SPDX-License-Identifier: BSD-3-Clause */
/* CBC and CBC-CS3.
 * References: NIST SP 800-38A §6.2 and its addendum "Three variants of ciphertext stealing for
 * CBC mode". Names of both in comments: P_j and C_j are blocks, C_0 is the initialisation
 * vector.
 * Invariants: what is done depends on lengths only. */
#include <wardmote/cbc.h>
#include <wardmote/ct.h>
#include "../util/compiler.h"
#include "../util/xor.h"

/* `len` modulo 12 without a division, which the small CPUs have not: 16 is 4 modulo 12. */
WM_NOINLINE static uint8_t rest_of_12(uint16_t len)
{
    while (len >= 48) {
        len = (uint16_t)(4 * (len >> 4) + (len & 15));
    }
    while (len >= 12) {
        len = (uint16_t)(len - 12);
    }
    return (uint8_t)len;
}

/* `len` modulo the block: a mask but for blocks of 12 octets. */
static inline uint8_t rest_of(uint16_t len, uint8_t b)
{
    return b == 12 ? rest_of_12(len) : (uint8_t)(len & (b - 1));
}

/* C_j = CIPH(P_j ^ C_{j-1}) for whole blocks; `chain` goes from C_{j-1} to C_j. */
static void encrypt_blocks(const wm_cipher_function *forward, const void *key, wm_block128 *chain,
                           uint8_t *data, uint16_t len)
{
    uint8_t b = forward->block_octets;
    for (; len != 0; len = (uint16_t)(len - b)) {
        wm_xor(chain->octet, data, b);
        forward->apply(key, chain);
        wm_copy(data, chain->octet, b);
        data += b;
    }
}

/* P_j = CIPH^-1(C_j) ^ C_{j-1} for whole blocks; `chain` goes from C_{j-1} to C_j. */
static void decrypt_blocks(const wm_cipher_function *inverse, const void *key, uint8_t *chain,
                           uint8_t *data, uint16_t len)
{
    uint8_t b = inverse->block_octets;
    wm_block128 block;
    for (; len != 0; len = (uint16_t)(len - b)) {
        wm_copy(block.octet, data, b);
        inverse->apply(key, &block);
        wm_xor(block.octet, chain, b);
        wm_copy(chain, data, b);
        wm_copy(data, block.octet, b);
        data += b;
    }
    wm_wipe(&block, sizeof block);
}

wm_status wm_cbc_encrypt(const wm_cipher_function *forward, const void *key, uint8_t *iv,
                         uint8_t *data, uint16_t len)
{
    if (rest_of(len, forward->block_octets) != 0) {
        return WM_ERR_PARAM;
    }
    wm_block128 chain;
    wm_copy(chain.octet, iv, forward->block_octets);
    encrypt_blocks(forward, key, &chain, data, len);
    wm_copy(iv, chain.octet, forward->block_octets);
    return WM_OK;
}

wm_status wm_cbc_decrypt(const wm_cipher_function *inverse, const void *key, uint8_t *iv,
                         uint8_t *data, uint16_t len)
{
    if (rest_of(len, inverse->block_octets) != 0) {
        return WM_ERR_PARAM;
    }
    decrypt_blocks(inverse, key, iv, data, len);
    return WM_OK;
}

/* Octets of the last block of a message of at least one block: 1..b. */
static inline uint8_t last_octets(uint16_t len, uint8_t b)
{
    return (uint8_t)(rest_of((uint16_t)(len - 1), b) + 1);
}

wm_status wm_cbc_cs3_encrypt(const wm_cipher_function *forward, const void *key, const uint8_t *iv,
                             uint8_t *data, uint16_t len)
{
    uint8_t b = forward->block_octets;
    if (len < b) {
        return WM_ERR_PARAM;
    }
    uint8_t d = len == b ? 0 : last_octets(len, b);
    wm_block128 chain;
    wm_copy(chain.octet, iv, b);
    encrypt_blocks(forward, key, &chain, data, (uint16_t)(len - d));
    if (d == 0) {
        return WM_OK;
    }
    /* C_n = CIPH(P_n padded with zeros ^ C_{n-1}) stands before the first d octets of C_{n-1}. */
    uint8_t *tail = data + (uint16_t)(len - d);
    for (uint8_t i = 0; i < d; i++) {
        uint8_t p = tail[i];
        tail[i] = chain.octet[i];
        chain.octet[i] ^= p;
    }
    forward->apply(key, &chain);
    wm_copy(tail - b, chain.octet, b);
    return WM_OK;
}

wm_status wm_cbc_cs3_decrypt(const wm_cipher_function *inverse, const void *key, const uint8_t *iv,
                             uint8_t *data, uint16_t len)
{
    uint8_t b = inverse->block_octets;
    if (len < b) {
        return WM_ERR_PARAM;
    }
    uint8_t d = len == b ? 0 : last_octets(len, b);
    uint8_t chain[WM_BLOCK_MAX];
    wm_copy(chain, iv, b);
    if (d == 0) {
        decrypt_blocks(inverse, key, chain, data, b);
        return WM_OK;
    }
    uint8_t *tail = data + (uint16_t)(len - d);
    decrypt_blocks(inverse, key, chain, data, (uint16_t)(len - d - b)); /* chain is C_{n-2} */
    /* CIPH^-1(C_n) is P_n padded with zeros ^ C_{n-1}: with the first d octets of C_{n-1} in hand,
     * P_n and the rest. */
    wm_block128 block;
    wm_copy(block.octet, tail - b, b);
    inverse->apply(key, &block);
    for (uint8_t i = 0; i < d; i++) {
        uint8_t c = tail[i];
        tail[i] = block.octet[i] ^ c;
        block.octet[i] = c;
    }
    inverse->apply(key, &block); /* of C_{n-1} */
    wm_xor(block.octet, chain, b);
    wm_copy(tail - b, block.octet, b);
    wm_wipe(&block, sizeof block);
    return WM_OK;
}
