/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys for the modes of ciphers whose calls take a block as octets. */
#ifndef WM_CIPHER_OCTET_KEYS_H
#define WM_CIPHER_OCTET_KEYS_H

#include <wardmote/cipher.h>

/* What the modes take of wm_NAME_encrypt and wm_NAME_decrypt: one_way_NAME and both_ways_NAME. */
#define WM_OCTET_OPS(name, octets_of_block)                                                        \
    static void forward_##name(const void *schedule, wm_block128 *block)                           \
    {                                                                                              \
        wm_##name##_encrypt(schedule, block->octet);                                               \
    }                                                                                              \
    static void inverse_##name(const void *schedule, wm_block128 *block)                           \
    {                                                                                              \
        wm_##name##_decrypt(schedule, block->octet);                                               \
    }                                                                                              \
    static const wm_cipher_ops one_way_##name = {.encrypt = forward_##name,                        \
                                                 .block_octets = (octets_of_block)};               \
    static const wm_cipher_ops both_ways_##name = {                                                \
        .encrypt = forward_##name, .decrypt = inverse_##name, .block_octets = (octets_of_block)};  \
    WM_CIPHER_KEY_CHECK(wm_##name##_key)

/* wm_NAME_init and wm_NAME_init_both, of a key that wm_EXPANDED_expand expands. */
#define WM_OCTET_KEYS(name, expanded, octets_of_key, octets_of_block)                              \
    WM_OCTET_OPS(name, octets_of_block);                                                           \
    void wm_##name##_init(wm_##name##_key *key, const uint8_t octets[octets_of_key])               \
    {                                                                                              \
        wm_##expanded##_expand(&key->schedule, octets);                                            \
        key->cipher.ops = &one_way_##name;                                                         \
    }                                                                                              \
    void wm_##name##_init_both(wm_##name##_key *key, const uint8_t octets[octets_of_key])          \
    {                                                                                              \
        wm_##expanded##_expand(&key->schedule, octets);                                            \
        key->cipher.ops = &both_ways_##name;                                                       \
    }

#endif
