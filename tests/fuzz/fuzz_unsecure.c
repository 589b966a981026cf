/* SPDX-License-Identifier: BSD-3-Clause */
/* Securing and unsecuring one frame.
 *
 * The first octet chooses: a frame in clear to secure and unsecure again, perhaps after a change,
 * or a frame as received. Judged: a refused frame is unchanged, or after a wrong MIC zero behind
 * the ASH; a frame that was accepted, secured again, gives the octets that were accepted; a frame
 * that we secured is accepted and comes back as it was. */
#include "harness.h"
#include "recipe.h"

/* The frame `at` of `len` octets is unsecured; `was` is a copy of it. */
static void judge_unsecured(const fuzz_frame *frame, const uint8_t *was, uint8_t *at, uint8_t len)
{
    uint8_t left = len;
    wm_mhr mhr;
    wm_frame_map map;
    const wm_status parsed = wm_frame_parse(at, len, &mhr, &map);
    const wm_status status = wm_frame_unsecure(&frame->sec, at, &left);

    if (parsed != WM_OK) {
        FUZZ_REQUIRE(status == parsed && left == len && memcmp(at, was, len) == 0);
    } else if (!mhr.security_enabled) {
        FUZZ_REQUIRE(status == WM_NOT_SECURED && left == len && memcmp(at, was, len) == 0);
    } else if (status == WM_ERR_SECURITY) {
        FUZZ_REQUIRE(left == len && memcmp(at, was, map.header_ie) == 0);
        FUZZ_REQUIRE(fuzz_all(at + map.header_ie, (size_t)(len - map.header_ie), 0));
    } else if (status < 0) {
        FUZZ_REQUIRE(left == len && memcmp(at, was, len) == 0);
    } else {
        const uint8_t mic = wm_level_mic_len(mhr.ash.level);
        FUZZ_REQUIRE(status == (mic != 0 ? WM_OK : WM_NOT_AUTHENTICATED));
        FUZZ_REQUIRE(left == len - mic);
        FUZZ_REQUIRE(memcmp(at, was, mhr.ash.level >= 4 ? map.private_payload : left) == 0);
        memset(at + left, 0xEE, mic);
        FUZZ_REQUIRE(wm_frame_secure(&frame->sec, at, len, &left) == WM_OK);
        FUZZ_REQUIRE(left == len && memcmp(at, was, len) == 0);
    }
}

static int judge_received(fuzz_input *in)
{
    fuzz_frame frame;
    uint8_t *at;
    uint8_t len;

    fuzz_take_security(in, &frame);
    len = in->left > UINT8_MAX ? UINT8_MAX : (uint8_t)in->left;
    at = fuzz_copy(in->at, len);
    judge_unsecured(&frame, in->at, at, len);
    free(at);
    return FUZZ_TAKEN;
}

/* Secures a copy of exact room; NULL if refused, and then the frame is as it was. */
static uint8_t *secured_copy(const fuzz_frame *frame, uint8_t *len)
{
    const uint8_t mic = frame->mhr.security_enabled ? wm_level_mic_len(frame->mhr.ash.level) : 0;
    uint8_t *at = malloc((size_t)(frame->len + mic));

    memcpy(at, frame->octet, frame->len);
    *len = frame->len;
    if (mic != 0) {
        FUZZ_REQUIRE(wm_frame_secure(&frame->sec, at, (uint8_t)(frame->len + mic - 1u), len) < 0);
    }
    if (wm_frame_secure(&frame->sec, at, (uint8_t)(frame->len + mic), len) < 0) {
        FUZZ_REQUIRE(*len == frame->len && memcmp(at, frame->octet, frame->len) == 0);
        free(at);
        return NULL;
    }
    FUZZ_REQUIRE(*len == frame->len + mic);
    return at;
}

/* The status that unsecuring must answer for an unchanged frame. */
static wm_status worth(const wm_mhr *mhr)
{
    if (!mhr->security_enabled) {
        return WM_NOT_SECURED;
    }
    return wm_level_mic_len(mhr->ash.level) != 0 ? WM_OK : WM_NOT_AUTHENTICATED;
}

static int judge_secured(fuzz_input *in)
{
    uint8_t change[6];
    uint8_t *at;
    uint8_t *was;
    uint8_t len;
    uint8_t left;
    uint8_t i;
    fuzz_frame frame;

    fuzz_octets(in, change, sizeof change);
    fuzz_take_security(in, &frame);
    if (!fuzz_take_frame(in, &frame, (change[0] & 1u) != 0)) {
        return FUZZ_USELESS;
    }
    at = secured_copy(&frame, &len);
    if (at == NULL) {
        return FUZZ_TAKEN;
    }
    was = fuzz_copy(at, len);
    left = len;
    FUZZ_REQUIRE(wm_frame_unsecure(&frame.sec, at, &left) == worth(&frame.mhr));
    FUZZ_REQUIRE(left == frame.len && memcmp(at, frame.octet, left) == 0);
    if ((change[0] & 2u) != 0) {
        for (i = 1; i < 5; i = (uint8_t)(i + 2u)) {
            was[change[i] % len] ^= change[i + 1u];
        }
        memcpy(at, was, len);
        frame.sec.cipher = (change[0] & 4u) != 0 ? fuzz_key(change[5]) : frame.sec.cipher;
        judge_unsecured(&frame, was, at, len);
    }
    free(was);
    free(at);
    return FUZZ_TAKEN;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};

    return (fuzz_u8(&in) & 1u) != 0 ? judge_received(&in) : judge_secured(&in);
}
