/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions without structs for lib.rs: what a struct looks like is the C compiler's business. */
#include <wardmote/aes128.h>
#include <wardmote/ct.h>
#include <wardmote/link_security.h>
#include <wardmote/security_procedures.h>

_Static_assert(sizeof(wm_aes128_fix_key) <= 8 * 45 && _Alignof(wm_aes128_fix_key) <= 8,
               "lib.rs has a place of 45 double words for it");

_Static_assert(WM_FRAME_MAX == 125, "lib.rs has FRAME_OCTETS, and lengths of 8 bits");

void wm_flat_init(void *key, const uint8_t octets[16]);
void wm_flat_wipe(void *key);
int wm_flat_seal(const void *key, const uint8_t nonce[13], const uint8_t *a, size_t a_len,
                 uint8_t *m, size_t m_len, uint8_t *tag, uint8_t tag_len);
int wm_flat_open(const void *key, const uint8_t nonce[13], const uint8_t *a, size_t a_len,
                 uint8_t *m, size_t m_len, const uint8_t *tag, uint8_t tag_len);
int wm_flat_secure(const void *key, const uint8_t *source, uint8_t level, uint8_t key_index,
                   uint32_t counter, uint8_t *frame, uint8_t size, uint8_t *len);
int wm_flat_unsecure(const void *key, const uint8_t *source, uint8_t *frame, uint8_t *len,
                     uint8_t *level, uint8_t *key_index, uint32_t *counter);

void wm_flat_init(void *key, const uint8_t octets[16])
{
    wm_aes128_fix_init(key, octets);
}

static const wm_cipher *cipher_of(const void *key)
{
    return &((const wm_aes128_fix_key *)key)->cipher;
}

void wm_flat_wipe(void *key)
{
    wm_wipe(key, sizeof(wm_aes128_fix_key));
}

int wm_flat_seal(const void *key, const uint8_t nonce[13], const uint8_t *a, size_t a_len,
                 uint8_t *m, size_t m_len, uint8_t *tag, uint8_t tag_len)
{
    return wm_ccm_seal(cipher_of(key), nonce, a, a_len, m, m_len, tag, tag_len);
}

int wm_flat_open(const void *key, const uint8_t nonce[13], const uint8_t *a, size_t a_len,
                 uint8_t *m, size_t m_len, const uint8_t *tag, uint8_t tag_len)
{
    return wm_ccm_open(cipher_of(key), nonce, a, a_len, m, m_len, tag, tag_len);
}

static wm_security security_of(const void *key, const uint8_t *source)
{
    wm_security security = {.cipher = cipher_of(key),
                            .profile = WM_PROFILE_2015,
                            .nonce_form = WM_NONCE_COUNTER,
                            .src_ext = source};
    return security;
}

int wm_flat_secure(const void *key, const uint8_t *source, uint8_t level, uint8_t key_index,
                   uint32_t counter, uint8_t *frame, uint8_t size, uint8_t *len)
{
    const wm_ash ash = {
        .level = level, .key_id_mode = 1, .key_index = key_index, .frame_counter = counter};
    wm_security security = security_of(key, source);
    wm_status status = wm_ash_insert(frame, size, len, &ash);
    if (status == WM_OK) {
        status = wm_frame_secure(&security, frame, size, len);
        if (status != WM_OK) { /* in clear behind an ASH: it would look secured */
            wm_wipe(frame, *len);
        }
    }
    return status;
}

int wm_flat_unsecure(const void *key, const uint8_t *source, uint8_t *frame, uint8_t *len,
                     uint8_t *level, uint8_t *key_index, uint32_t *counter)
{
    wm_mhr mhr;
    wm_frame_map map;
    wm_security security = security_of(key, source);
    wm_status status = wm_frame_parse(frame, *len, &mhr, &map);
    if (status == WM_OK) {
        status = wm_frame_unsecure_as(&security, &mhr, &map, frame, len);
    }
    if (status != WM_OK) {
        return status;
    }
    *level = mhr.ash.level;
    *key_index = mhr.ash.key_index;
    *counter = mhr.ash.frame_counter;
    return wm_ash_remove(frame, len);
}
