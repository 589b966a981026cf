/* SPDX-License-Identifier: BSD-3-Clause */
/* Self-test of a built library: one published vector each of AES-128, CCM*, SHA-256 and a secured
 * frame, and a refusal. `make check` compiles it with WM_SELF_TEST. Without that macro this file
 * holds no code, so a project may compile everything in this folder. It calls no function of the C
 * library; main returns the number of the step that failed, 0 if none did. */
#include <wardmote/aes128.h>
#include <wardmote/link_security.h>
#include <wardmote/sha256.h>
#include <wardmote/version.h>

#ifdef WM_SELF_TEST

static bool equal(const uint8_t *got, const uint8_t *want, unsigned len)
{
    uint8_t differs = 0;
    while (len-- != 0) {
        differs |= (uint8_t)(*got++ ^ *want++);
    }
    return differs == 0;
}

/* FIPS 197, Appendix C.1. */
static bool aes128_is_right(void (*encrypt)(const wm_aes128 *key, wm_block128 *block))
{
    static const uint8_t want[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8_t key[16];
    wm_block128 block;
    wm_aes128 expanded;
    for (uint8_t i = 0; i < 16; i++) {
        key[i] = i;
        block.octet[i] = (uint8_t)(i * 0x11);
    }
    wm_aes128_expand(&expanded, key);
    encrypt(&expanded, &block);
    return equal(block.octet, want, 16);
}

/* RFC 3610 §8, packet vector 1. */
static bool ccm_is_right(void)
{
    static const uint8_t nonce[13] = {0, 0, 0, 3, 2, 1, 0, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5};
    static const uint8_t want[31] = {0x58, 0x8c, 0x97, 0x9a, 0x61, 0xc6, 0x63, 0xd2,
                                     0xf0, 0x66, 0xd0, 0xc2, 0xc0, 0xf9, 0x89, 0x80,
                                     0x6d, 0x5f, 0x6b, 0x61, 0xda, 0xc3, 0x84, 0x17,
                                     0xe8, 0xd1, 0x2c, 0xfd, 0xf9, 0x26, 0xe0};
    uint8_t octets[16], a[8], m[31];
    wm_aes128_tab_key key;
    for (uint8_t i = 0; i < 16; i++) {
        octets[i] = (uint8_t)(0xc0 + i);
    }
    for (uint8_t i = 0; i < 8; i++) {
        a[i] = i;
    }
    for (uint8_t i = 0; i < 23; i++) {
        m[i] = (uint8_t)(8 + i);
    }
    wm_aes128_tab_init(&key, octets);
    return wm_ccm_seal(&key.cipher, nonce, a, 8, m, 23, m + 23, 8) == WM_OK && equal(m, want, 31);
}

/* FIPS 180-4: the digest of "abc", as NIST's examples print it. */
static bool sha256_is_right(void)
{
    static const uint8_t abc[3] = {0x61, 0x62, 0x63};
    static const uint8_t want[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                     0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                     0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                     0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    uint8_t digest[32];
    wm_sha256_digest(abc, 3, digest);
    return equal(digest, want, 32);
}

/* IEEE 802.15.4-2011, C.2.3: an association request at level 6, secured, opened, and refused when
 * an octet is wrong. */
static bool frame_is_right(void)
{
    static const uint8_t clear[30] = {0x2b, 0xdc, 0x84, 0x21, 0x43, 0x02, 0x00, 0x00, 0x00, 0x00,
                                      0x48, 0xde, 0xac, 0xff, 0xff, 0x01, 0x00, 0x00, 0x00, 0x00,
                                      0x48, 0xde, 0xac, 0x06, 0x05, 0x00, 0x00, 0x00, 0x01, 0xce};
    static const uint8_t want[9] = {0xd8, 0x4f, 0xde, 0x52, 0x90, 0x61, 0xf9, 0xc6, 0xf1};
    uint8_t octets[16], frame[38];
    wm_psdu_len len = sizeof clear;
    wm_aes128_small_key key;
    wm_security security = {0};
    for (uint8_t i = 0; i < 16; i++) {
        octets[i] = (uint8_t)(0xc0 + i);
    }
    for (uint8_t i = 0; i < sizeof clear; i++) {
        frame[i] = clear[i];
    }
    wm_aes128_small_init(&key, octets);
    security.cipher = &key.cipher;
    security.profile = WM_PROFILE_2011;
    if (wm_frame_secure(&security, frame, sizeof frame, &len) != WM_OK || len != 38 ||
        !equal(frame + 29, want, 9) || wm_frame_unsecure(&security, frame, &len) != WM_OK ||
        len != sizeof clear || !equal(frame, clear, sizeof clear)) {
        return false;
    }
    if (wm_frame_secure(&security, frame, sizeof frame, &len) != WM_OK) {
        return false;
    }
    frame[37] ^= 1;
    return wm_frame_unsecure(&security, frame, &len) == WM_ERR_SECURITY;
}

int main(void)
{
    if (!aes128_is_right(wm_aes128_small_encrypt) || !aes128_is_right(wm_aes128_tab_encrypt)) {
        return 1;
    }
    if (!ccm_is_right()) {
        return 2;
    }
    if (!sha256_is_right()) {
        return 3;
    }
    return frame_is_right() ? 0 : 4;
}

#endif
