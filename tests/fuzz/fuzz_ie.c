/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of Information Elements and the Time Correction IE.
 *
 * The first octet chooses the kind of list; the rest is the list. Judged: every IE lies inside the
 * list and behind the one before; its descriptor, made again from the values, gives the octets it
 * was read from; a list that is refused is refused for a reason found by another walk; the end of
 * the header IEs is where that walk finds it; a time correction survives being built and read. */
#include "harness.h"
#include <wardmote/ie.h>

typedef wm_status (*next_ie)(wm_ie_list *list, wm_ie *ie);

enum { KIND_HEADER, KIND_PAYLOAD, KIND_NESTED, KINDS };

static uint16_t descriptor_of(uint8_t kind, const wm_ie *ie)
{
    switch (kind) {
    case KIND_HEADER:
        return (uint16_t)(ie->id << 7 | ie->len);
    case KIND_PAYLOAD:
        return (uint16_t)(0x8000u | (unsigned)ie->id << 11 | ie->len);
    default:
        return ie->long_format ? (uint16_t)(0x8000u | (unsigned)ie->id << 11 | ie->len)
                               : (uint16_t)((unsigned)ie->id << 8 | ie->len);
    }
}

/* Octets of the content that a descriptor announces; false if the bit that tells header from
 * payload IEs is wrong. */
static bool announced(uint8_t kind, const uint8_t *at, uint16_t *len)
{
    const uint16_t descriptor = (uint16_t)(at[0] | at[1] << 8);
    const bool high = (descriptor & 0x8000u) != 0;

    *len = descriptor & (kind == KIND_HEADER            ? 0x7Fu
                         : kind == KIND_NESTED && !high ? 0xFFu
                                                        : 0x7FFu);
    return kind == KIND_NESTED || high == (kind == KIND_PAYLOAD);
}

static void judge_list(uint8_t kind, const uint8_t *octets, uint8_t len)
{
    static const next_ie next[KINDS] = {wm_ie_next_header, wm_ie_next_payload, wm_ie_next_nested};
    wm_ie_list list = {octets, len};
    size_t at = 0;
    uint16_t content;
    wm_ie ie;

    for (;;) {
        const wm_status status = next[kind](&list, &ie);
        if (status != WM_OK) {
            FUZZ_REQUIRE(status == WM_ERR_MALFORMED && ie.content == NULL);
            FUZZ_REQUIRE(len - at == 1 || !announced(kind, octets + at, &content) ||
                         at + 2 + content > len);
            return;
        }
        if (ie.content == NULL) {
            FUZZ_REQUIRE(at == len);
            return;
        }
        FUZZ_REQUIRE(ie.content == octets + at + 2 && at + 2 + ie.len <= len);
        FUZZ_REQUIRE(descriptor_of(kind, &ie) == (octets[at] | octets[at + 1] << 8));
        at += 2u + ie.len;
        FUZZ_REQUIRE(list.at == octets + at && list.left == len - at);
    }
}

/* Where header IEs end by a walk of its own: -1 if they are malformed. */
static int header_end(const uint8_t *octets, uint8_t len)
{
    size_t at = 0;
    uint16_t content;

    while (at < len) {
        if (len - at < 2 || !announced(KIND_HEADER, octets + at, &content) ||
            at + 2 + content > len) {
            return -1;
        }
        if (octets[at + 1] == 0x3F) { /* 0x7E or 0x7F in bits 7..14: a termination */
            return content == 0 ? (int)(at + 2) : -1;
        }
        at += 2u + content;
    }
    return len;
}

/* The list as header IEs that begin at `pos` of a frame. */
static void judge_header_end(const uint8_t *octets, uint8_t len, uint8_t pos)
{
    const int want = header_end(octets, len);
    uint8_t *frame = malloc((size_t)pos + len);
    uint8_t after = 0;
    wm_status status;

    memset(frame, 0xFF, pos);
    if (len != 0) {
        memcpy(frame + pos, octets, len);
    }
    status = wm_header_ies_end(frame, pos, (uint8_t)(pos + len), &after);
    FUZZ_REQUIRE(want < 0 ? status == WM_ERR_MALFORMED : status == WM_OK && after == pos + want);
    free(frame);
}

static void judge_time_correction(const uint8_t *octets, uint8_t len)
{
    uint8_t built[WM_TIME_CORRECTION_LEN];
    int16_t us = 0;
    int16_t again = 0;
    bool nack = false;
    bool nack_again = false;
    const wm_status status = wm_time_correction_parse(octets, len, &us, &nack);

    if (status == WM_OK) {
        FUZZ_REQUIRE(us >= WM_TIME_CORRECTION_MIN && us <= WM_TIME_CORRECTION_MAX);
        FUZZ_REQUIRE(wm_time_correction_build(built, sizeof built, us, nack) == WM_OK);
        FUZZ_REQUIRE(wm_time_correction_parse(built, sizeof built, &again, &nack_again) == WM_OK);
        FUZZ_REQUIRE(us == again && nack == nack_again);
    } else {
        FUZZ_REQUIRE(status == WM_ERR_MALFORMED);
    }
    if (len >= 2) { /* any value: cut to the range, no other one */
        const int16_t any = (int16_t)(octets[0] | octets[1] << 8);
        const int16_t want = any < WM_TIME_CORRECTION_MIN   ? WM_TIME_CORRECTION_MIN
                             : any > WM_TIME_CORRECTION_MAX ? WM_TIME_CORRECTION_MAX
                                                            : any;
        FUZZ_REQUIRE(wm_time_correction_build(built, sizeof built, any, (len & 1) != 0) == WM_OK);
        FUZZ_REQUIRE(wm_time_correction_parse(built, sizeof built, &us, &nack) == WM_OK);
        FUZZ_REQUIRE(us == want && nack == ((len & 1) != 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t choice = fuzz_u8(&in);
    const uint8_t pos = choice >> 3;
    const uint8_t len =
        in.left > (size_t)(UINT8_MAX - pos) ? (uint8_t)(UINT8_MAX - pos) : (uint8_t)in.left;
    uint8_t *octets = fuzz_copy(in.at, len);

    judge_list((choice & 3u) % KINDS, octets, len);
    if ((choice & 3u) == KIND_HEADER) {
        judge_header_end(octets, len, pos);
        judge_time_correction(octets, len);
    }
    free(octets);
    return FUZZ_TAKEN;
}
