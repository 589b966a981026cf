/* SPDX-License-Identifier: BSD-3-Clause */
/* Tags of refused frames.
 *
 * A frame is secured and then changed: octets, the MIC alone, its length, the key, the ASN or the
 * address in the nonce. Judged: it is refused, whatever was changed; afterwards no octet of its
 * plaintext or of any keystream is there: the frame is what was received, or zero behind the ASH.
 * The same one layer below for wm_ccm_open, and for the comparison of tags itself against memcmp.
 * Chance lets 1 in 2^32 changes of a MIC-32 frame pass; that would be reported as well. */
#include "harness.h"
#include "recipe.h"
#include <wardmote/ct.h>

enum { CHANGE_OCTETS, CHANGE_MIC, CHANGE_LENGTH, CHANGE_KEY, CHANGE_NONCE, CHANGES };

/* Applies one change of a kind; false if it leaves everything that is authenticated as it was. */
static bool change_frame(fuzz_frame *frame, uint8_t kind, const uint8_t how[5], uint8_t *at,
                         uint8_t *len, uint8_t mic)
{
    uint8_t other_asn[5];
    uint8_t i;

    switch (kind) {
    case CHANGE_OCTETS:
        at[how[0] % *len] ^= how[1];
        at[how[2] % *len] ^= how[3];
        return true;
    case CHANGE_MIC:
        at[*len - 1u - how[0] % mic] ^= how[1];
        return true;
    case CHANGE_LENGTH: /* shorter: the room of a longer one is not there */
        *len = (uint8_t)(*len - how[0] % *len);
        return true;
    case CHANGE_KEY:
        frame->sec.cipher = frame->sec.cipher == fuzz_key(0) || frame->sec.cipher == fuzz_key(2)
                                ? fuzz_key(1)
                                : fuzz_key(0);
        return true;
    default:
        for (i = 0; i < 5; i++) {
            other_asn[i] = frame->sec.asn[i] ^ how[i];
        }
        if (frame->sec.nonce_form == WM_NONCE_ASN) {
            memcpy(frame->sec.asn, other_asn, sizeof other_asn);
            return !fuzz_all(how, 5, 0);
        }
        frame->src_ext[how[0] & 7u] ^= how[1];
        return how[1] != 0 && frame->mhr.src.mode != WM_ADDR_EXT;
    }
}

static void judge_refusal(const fuzz_frame *frame, const uint8_t *received, uint8_t *at,
                          uint8_t len)
{
    uint8_t left = len;
    wm_mhr mhr;
    wm_frame_map map;
    const bool parsed = wm_frame_parse(received, len, &mhr, &map) == WM_OK;
    const wm_status status = wm_frame_unsecure(&frame->sec, at, &left);

    FUZZ_REQUIRE(status != WM_OK);
    if (parsed && !mhr.security_enabled) {
        return; /* the change took Security Enabled away */
    }
    if (parsed && mhr.ash.level == 4) {
        return; /* nothing authenticates a frame of level 4 */
    }
    FUZZ_REQUIRE(status < 0);
    FUZZ_REQUIRE(left == len);
    if (status == WM_ERR_SECURITY) {
        FUZZ_REQUIRE(parsed && memcmp(at, received, map.header_ie) == 0);
        FUZZ_REQUIRE(fuzz_all(at + map.header_ie, (size_t)(len - map.header_ie), 0));
    } else {
        FUZZ_REQUIRE(memcmp(at, received, len) == 0);
    }
}

static int judge_frame(fuzz_input *in)
{
    const uint8_t kind = fuzz_u8(in) % CHANGES;
    uint8_t how[5];
    uint8_t secured[WM_PSDU_MAX];
    uint8_t *at;
    uint8_t *received;
    uint8_t len;
    uint8_t mic;
    fuzz_frame frame;

    fuzz_octets(in, how, sizeof how);
    fuzz_take_security(in, &frame);
    if (!fuzz_take_frame(in, &frame, true) || !frame.mhr.security_enabled ||
        (frame.mhr.ash.level & 3u) == 0) {
        return FUZZ_USELESS;
    }
    mic = wm_level_mic_len(frame.mhr.ash.level);
    len = frame.len;
    memcpy(secured, frame.octet, len);
    if (wm_frame_secure(&frame.sec, secured, sizeof secured, &len) != WM_OK) {
        return FUZZ_USELESS;
    }
    received = fuzz_copy(secured, len);
    if (change_frame(&frame, kind, how, received, &len, mic) &&
        (kind == CHANGE_KEY || kind == CHANGE_NONCE || len != frame.len + mic ||
         memcmp(received, secured, len) != 0)) {
        at = fuzz_copy(received, len);
        judge_refusal(&frame, received, at, len);
        free(at);
    }
    free(received);
    return FUZZ_TAKEN;
}

/* wm_ccm_open with any lengths: a right tag opens, a changed one leaves zeros, lengths that cannot
 * be leave everything. */
static int judge_ccm(fuzz_input *in)
{
    const wm_cipher *key = fuzz_key(fuzz_u8(in));
    const uint8_t tag_len = fuzz_u8(in) % 20u;
    const uint8_t bit = fuzz_u8(in);
    uint8_t a_len = fuzz_u8(in);
    uint8_t nonce[WM_CCM_NONCE_LEN];
    uint8_t tag[20] = {0};
    uint16_t m_len;
    uint8_t *a;
    uint8_t *m;
    uint8_t *plain;
    wm_status status;

    fuzz_octets(in, nonce, sizeof nonce);
    a_len = a_len > in->left ? (uint8_t)in->left : a_len;
    a = fuzz_copy(in->at, a_len);
    in->at += a_len;
    in->left -= a_len;
    m_len = in->left > UINT8_MAX ? UINT8_MAX : (uint16_t)in->left;
    m = fuzz_copy(in->at, m_len);
    plain = fuzz_copy(in->at, m_len);
    status = wm_ccm_seal(key, nonce, a, a_len, m, m_len, tag, tag_len);
    if (status != WM_OK) {
        FUZZ_REQUIRE(status == WM_ERR_PARAM && (m_len == 0 || memcmp(m, plain, m_len) == 0));
        FUZZ_REQUIRE(wm_ccm_open(key, nonce, a, a_len, m, m_len, tag, tag_len) == WM_ERR_PARAM);
        FUZZ_REQUIRE(m_len == 0 || memcmp(m, plain, m_len) == 0);
    } else if (tag_len != 0 && (bit & 0x80u) != 0) {
        tag[(bit >> 3 & 15u) % tag_len] ^= (uint8_t)(1u << (bit & 7u));
        FUZZ_REQUIRE(wm_ccm_open(key, nonce, a, a_len, m, m_len, tag, tag_len) == WM_ERR_SECURITY);
        FUZZ_REQUIRE(fuzz_all(m, m_len, 0));
    } else {
        FUZZ_REQUIRE(wm_ccm_open(key, nonce, a, a_len, m, m_len, tag, tag_len) ==
                     (tag_len == 0 ? WM_NOT_AUTHENTICATED : WM_OK));
        FUZZ_REQUIRE(m_len == 0 || memcmp(m, plain, m_len) == 0);
    }
    free(plain);
    free(m);
    free(a);
    return FUZZ_TAKEN;
}

static int judge_comparison(fuzz_input *in)
{
    const uint16_t len = (uint16_t)(in->left / 2u);
    uint8_t *a = fuzz_copy(in->at, len);
    uint8_t *b = fuzz_copy(in->at + len, len);

    FUZZ_REQUIRE((wm_ct_diff(a, b, len) == 0) == (len == 0 || memcmp(a, b, len) == 0));
    FUZZ_REQUIRE(wm_ct_diff(a, a, len) == 0);
    wm_wipe(a, len);
    FUZZ_REQUIRE(fuzz_all(a, len, 0));
    free(b);
    free(a);
    return FUZZ_TAKEN;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t choice = fuzz_u8(&in);

    if ((choice & 7u) == 7u) {
        return judge_comparison(&in);
    }
    return (choice & 7u) == 6u ? judge_ccm(&in) : judge_frame(&in);
}
