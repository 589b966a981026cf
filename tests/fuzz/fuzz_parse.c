/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsing and building of frames.
 *
 * The first octet chooses: the rest is a frame as received, or header values to build. Judged: no
 * octet outside the frame or behind what the header promises is read; boundaries are in order and
 * inside; what was read, built again, gives the same octets and values; a frame on the air reads as
 * that frame without its MIC. */
#include "harness.h"
#include "recipe.h"

#define FCF0_RESERVED 0x80u
#define CONTROL_RESERVED 0x80u

/* Compares members one by one, because padding, and addresses and key sources beyond their length,
 * have no meaning. */
static bool same_addr(const wm_addr *a, const wm_addr *b)
{
    const uint8_t len[4] = {0, 0, 2, 8};

    return a->mode == b->mode && memcmp(a->octet, b->octet, len[a->mode]) == 0;
}

static bool same_ash(const wm_ash *a, const wm_ash *b)
{
    const uint8_t len[4] = {0, 0, 4, 8};

    return a->level == b->level && a->key_id_mode == b->key_id_mode &&
           a->counter_suppressed == b->counter_suppressed && a->asn_in_nonce == b->asn_in_nonce &&
           (a->counter_suppressed || a->frame_counter == b->frame_counter) &&
           (a->key_id_mode == 0 || a->key_index == b->key_index) &&
           memcmp(a->key_source, b->key_source, len[a->key_id_mode]) == 0;
}

static bool same_fcf(const wm_mhr *a, const wm_mhr *b)
{
    return a->type == b->type && a->version == b->version &&
           a->security_enabled == b->security_enabled && a->frame_pending == b->frame_pending &&
           a->ack_request == b->ack_request && a->pan_id_compression == b->pan_id_compression &&
           a->seq_suppressed == b->seq_suppressed && a->ie_present == b->ie_present;
}

static bool same_mhr(const wm_mhr *a, const wm_mhr *b)
{
    return same_fcf(a, b) && (a->seq_suppressed || a->seq == b->seq) &&
           a->dst_pan_present == b->dst_pan_present && a->src_pan_present == b->src_pan_present &&
           (!a->dst_pan_present || a->dst_pan == b->dst_pan) &&
           (!a->src_pan_present || a->src_pan == b->src_pan) && same_addr(&a->dst, &b->dst) &&
           same_addr(&a->src, &b->src) && (!a->security_enabled || same_ash(&a->ash, &b->ash));
}

static bool same_map(const wm_frame_map *a, const wm_frame_map *b)
{
    return a->ash == b->ash && a->header_ie == b->header_ie && a->open == b->open &&
           a->private_payload == b->private_payload;
}

static void judge_map(const uint8_t *frame, const wm_mhr *mhr, const wm_frame_map *map, uint8_t end)
{
    FUZZ_REQUIRE(map->ash == wm_frame_addressing_len(frame));
    FUZZ_REQUIRE(map->header_ie == map->ash + (mhr->security_enabled ? wm_ash_len(&mhr->ash) : 0));
    FUZZ_REQUIRE(map->header_ie <= map->open && map->open <= map->private_payload &&
                 map->private_payload <= end);
}

/* Header values give the octets they were read from, except the two reserved bits, which are sent
 * as 0. */
static void judge_rebuilt(const uint8_t *frame, const wm_mhr *mhr, const wm_frame_map *map)
{
    uint8_t *want = fuzz_copy(frame, map->header_ie);
    uint8_t *built = malloc(map->header_ie);
    uint8_t len = 0;

    want[0] = (uint8_t)(want[0] & ~FCF0_RESERVED);
    if (mhr->security_enabled) {
        want[map->ash] = (uint8_t)(want[map->ash] & ~CONTROL_RESERVED);
    }
    FUZZ_REQUIRE(wm_mhr_build(mhr, built, (uint8_t)(map->header_ie - 1u), &len) ==
                 WM_ERR_FRAME_TOO_LONG);
    FUZZ_REQUIRE(wm_mhr_build(mhr, built, map->header_ie, &len) == WM_OK);
    FUZZ_REQUIRE(len == map->header_ie && memcmp(built, want, len) == 0);
    free(built);
    free(want);
}

/* What stands behind these octets need not be there yet, says the header of the library: give it
 * only those. */
static void judge_prefix(const uint8_t *frame, uint8_t len, const wm_mhr *mhr,
                         const wm_frame_map *map)
{
    const bool open_fields = mhr->version < WM_VERSION_2015 &&
                             (mhr->type == WM_FRAME_BEACON || mhr->type == WM_FRAME_COMMAND);
    uint8_t *prefix;
    wm_mhr again;
    wm_frame_map places;

    if (mhr->ie_present) {
        return;
    }
    prefix = fuzz_copy(frame, open_fields ? map->private_payload : map->header_ie);
    FUZZ_REQUIRE(wm_frame_parse(prefix, len, &again, &places) == WM_OK);
    FUZZ_REQUIRE(same_mhr(mhr, &again) && same_map(map, &places));
    free(prefix);
}

static int judge_received(fuzz_input *in)
{
    const uint8_t len = in->left > UINT8_MAX ? UINT8_MAX : (uint8_t)in->left;
    uint8_t *frame = fuzz_copy(in->at, len);
    wm_mhr mhr;
    wm_mhr clear;
    wm_frame_map map;
    wm_frame_map clear_map;
    const wm_status status = wm_frame_parse(frame, len, &mhr, &map);

    FUZZ_REQUIRE(status == WM_OK || status == WM_ERR_MALFORMED || status == WM_ERR_FRAME_TOO_LONG ||
                 status == WM_ERR_UNSUPPORTED_LEGACY || status == WM_ERR_NOT_FOR_US);
    FUZZ_REQUIRE((status == WM_ERR_FRAME_TOO_LONG) == (len > WM_FRAME_MAX));
    if (status == WM_OK) {
        const uint8_t mic = mhr.security_enabled ? wm_level_mic_len(mhr.ash.level) : 0;
        judge_map(frame, &mhr, &map, (uint8_t)(len - mic));
        judge_rebuilt(frame, &mhr, &map);
        judge_prefix(frame, len, &mhr, &map);
        FUZZ_REQUIRE(wm_frame_parse_clear(frame, (uint8_t)(len - mic), &clear, &clear_map) ==
                     WM_OK);
        FUZZ_REQUIRE(same_mhr(&mhr, &clear) && same_map(&map, &clear_map));
    } else if (len >= 2 && len <= WM_FRAME_MAX && wm_frame_addressing_len(frame) == 0) {
        FUZZ_REQUIRE(wm_frame_parse_clear(frame, len, &clear, &clear_map) == status);
    }
    if (wm_frame_parse_clear(frame, len, &clear, &clear_map) == WM_OK) {
        judge_map(frame, &clear, &clear_map, len);
    }
    FUZZ_REQUIRE(len == 0 || memcmp(frame, in->at, len) == 0);
    free(frame);
    return FUZZ_TAKEN;
}

/* Any values are refused, or the built octets read as those values. */
static int judge_values(fuzz_input *in)
{
    const uint8_t size = fuzz_u8(in) & 0x7Fu;
    const uint8_t odd = fuzz_u8(in);
    uint8_t *frame = malloc(size);
    uint8_t len = 0xEE;
    wm_mhr mhr;
    wm_mhr again;
    wm_frame_map map;
    wm_status status;

    fuzz_take_mhr(in, &mhr);
    if (odd != 0) { /* values out of their range, one or several */
        mhr.type = (uint8_t)(mhr.type + (odd & 7u));
        mhr.version = (uint8_t)(mhr.version + (odd >> 3 & 1u));
        mhr.dst.mode = (uint8_t)(mhr.dst.mode + (odd >> 4 & 1u));
        mhr.src.mode = (uint8_t)(mhr.src.mode + (odd >> 5 & 1u));
        mhr.ash.level = (uint8_t)(mhr.ash.level + (odd >> 3 & 8u));
        mhr.ash.key_id_mode = (uint8_t)(mhr.ash.key_id_mode + (odd >> 5 & 4u));
    }
    status = wm_mhr_build(&mhr, frame, size, &len);
    if (status != WM_OK) {
        FUZZ_REQUIRE(status == WM_ERR_PARAM || status == WM_ERR_FRAME_TOO_LONG);
        FUZZ_REQUIRE(len == 0xEE);
    } else {
        const wm_status parsed = wm_frame_parse_clear(frame, len, &again, &map);
        FUZZ_REQUIRE(len <= size);
        mhr.dst_pan_present = again.dst_pan_present; /* derived: not given */
        mhr.src_pan_present = again.src_pan_present;
        FUZZ_REQUIRE(same_mhr(&mhr, &again));
        /* A header alone is a frame, except for a beacon or command of the old versions, which has
         * more fields. */
        FUZZ_REQUIRE(parsed == WM_OK ||
                     (mhr.version < WM_VERSION_2015 && mhr.type != WM_FRAME_DATA));
    }
    free(frame);
    return FUZZ_TAKEN;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};

    return (fuzz_u8(&in) & 1u) != 0 ? judge_values(&in) : judge_received(&in);
}
