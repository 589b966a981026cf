/* SPDX-License-Identifier: BSD-3-Clause */
/* Payload IEs of an Enhanced Beacon.
 *
 * The first octet chooses: payload IEs as received, the IEs of a well-formed EB with some octets
 * changed, or values. Judged: what was read, built and read again, is the same; the ASN that the
 * nonce of an unverified EB is made with is the one that a verified EB is then believed for; values
 * of a template that the engine accepts survive the air. */
#include <wardmote/eb.h>
#include "harness.h"
#include <wardmote/ie.h>
#include "tsch_engine.h"

static bool same_eb(const wm_eb *a, const wm_eb *b)
{
    return memcmp(a->asn, b->asn, 5) == 0 && a->join_metric == b->join_metric &&
           a->hopping_id == b->hopping_id && a->slotframe_length == b->slotframe_length &&
           memcmp(&a->timing, &b->timing, sizeof a->timing) == 0;
}

/* No guard time begins before what it counts from. */
static bool guards_fit(const wm_tsch_template *t)
{
    return t->ts_rx_guard <= t->ts_tx_offset && t->ts_ack_guard <= t->ts_tx_ack_delay;
}

static void take_eb(fuzz_input *in, wm_eb *eb)
{
    const uint8_t choice = fuzz_u8(in);
    wm_tsch_template *t = &eb->timing;

    memset(eb, 0, sizeof *eb);
    fuzz_octets(in, eb->asn, sizeof eb->asn);
    eb->join_metric = fuzz_u8(in);
    eb->slotframe_length = fuzz_u16(in);
    *t = wm_tsch_template_default;
    if ((choice & 1u) != 0) {
        t->ts_tx_offset = fuzz_u16(in);
        t->ts_max_tx = fuzz_u16(in);
        t->ts_tx_ack_delay = fuzz_u16(in);
        t->ts_max_ack = fuzz_u16(in);
        t->ts_rx_guard = fuzz_u16(in);
        t->ts_ack_guard = fuzz_u16(in);
        t->ts_slot_duration = fuzz_u16(in);
    }
}

static void judge_payload(const uint8_t *payload, uint8_t len)
{
    uint8_t built[WM_EB_LEN_MAX];
    uint8_t asn[5];
    uint8_t octets;
    wm_eb eb;
    wm_eb again;
    const wm_status status = wm_eb_parse(payload, len, &eb);
    const wm_status asn_status = wm_eb_asn(payload, len, asn);

    FUZZ_REQUIRE(status == WM_OK || status == WM_ERR_MALFORMED || status == WM_ERR_PARAM);
    FUZZ_REQUIRE(asn_status == WM_OK || asn_status == WM_ERR_MALFORMED);
    if (status == WM_OK) {
        FUZZ_REQUIRE(asn_status == WM_OK && memcmp(asn, eb.asn, 5) == 0);
        FUZZ_REQUIRE(eb.hopping_id == 0);
        FUZZ_REQUIRE(wm_eb_build(&eb, built, sizeof built, &octets) == WM_OK);
        FUZZ_REQUIRE(octets <= WM_EB_LEN_MAX);
        FUZZ_REQUIRE(wm_eb_parse(built + 2, (uint8_t)(octets - 2u), &again) == WM_OK &&
                     same_eb(&eb, &again));
    }
}

static void judge_received(fuzz_input *in)
{
    const uint8_t len = in->left > UINT8_MAX ? UINT8_MAX : (uint8_t)in->left;
    uint8_t *payload = fuzz_copy(in->at, len);

    judge_payload(payload, len);
    free(payload);
}

/* Puts one more nested IE, of any content, at the beginning or the end of those that are there. */
static size_t insert_ie(fuzz_input *in, uint8_t *octets, size_t len)
{
    static const uint8_t ids[8] = {
        WM_IE_TSCH_SYNC, WM_IE_SLOTFRAME_LINK, WM_IE_TSCH_TIMESLOT, 0x00, 0x48, 0xC8, 0x88, 0x80};
    const uint8_t choice = fuzz_u8(in);
    const uint8_t content = choice >> 3 & 0xFu;
    const size_t more = 2u + content;
    const size_t at = (choice & 0x80u) != 0 ? 4 : len;

    memmove(octets + at + more, octets + at, len - at);
    octets[at] = content;
    octets[at + 1] = ids[choice & 7u];
    fuzz_octets(in, octets + at + 2, content);
    /* the MLME IE takes it in: 52 + 2 * 17 octets at most */
    octets[2] = (uint8_t)(octets[2] + more);
    return len + more;
}

/* A well-formed EB with IEs put in and up to three octets changed. */
static void judge_changed(fuzz_input *in)
{
    uint8_t octets[WM_EB_LEN_MAX + 2 * 17];
    uint8_t change[7];
    uint8_t *payload;
    size_t len;
    uint8_t octets_len;
    uint8_t i;
    wm_eb eb;

    fuzz_octets(in, change, sizeof change);
    take_eb(in, &eb);
    if (wm_eb_build(&eb, octets, sizeof octets, &octets_len) != WM_OK) {
        FUZZ_REQUIRE(!guards_fit(&eb.timing));
        return;
    }
    len = octets_len;
    for (i = 0; i < (change[6] & 3u) && i < 2; i++) {
        len = insert_ie(in, octets, len);
    }
    for (i = 0; i < 6; i = (uint8_t)(i + 2u)) {
        octets[change[i] % len] ^= change[i + 1u];
    }
    payload = fuzz_copy(octets + 2, len - 2);
    judge_payload(payload, (uint8_t)(len - 2));
    free(payload);
}

static void judge_values(fuzz_input *in)
{
    const uint8_t frame_len = fuzz_u8(in) & 0x7Fu;
    uint8_t *built = malloc(WM_EB_LEN_MAX);
    uint8_t octets;
    wm_eb eb;
    wm_eb again;

    take_eb(in, &eb);
    if (wm_eb_build(&eb, built, WM_EB_LEN_MAX, &octets) != WM_OK) {
        FUZZ_REQUIRE(!guards_fit(&eb.timing) && !wm_tsch_template_valid(&eb.timing, frame_len));
        free(built);
        return;
    }
    FUZZ_REQUIRE(guards_fit(&eb.timing));
    FUZZ_REQUIRE(octets <= WM_EB_LEN_MAX);
    memset(built, 0xEE, WM_EB_LEN_MAX);
    FUZZ_REQUIRE(wm_eb_build(&eb, built, (uint8_t)(octets - 1u), &octets) == WM_ERR_FRAME_TOO_LONG);
    FUZZ_REQUIRE(fuzz_all(built, WM_EB_LEN_MAX, 0xEE));
    FUZZ_REQUIRE(wm_eb_build(&eb, built, octets, &octets) == WM_OK);
    FUZZ_REQUIRE(built[0] == 0x00 && built[1] == 0x3F);
    if (wm_tsch_template_valid(&eb.timing, frame_len)) {
        FUZZ_REQUIRE(wm_eb_parse(built + 2, (uint8_t)(octets - 2u), &again) == WM_OK &&
                     same_eb(&eb, &again));
    }
    free(built);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t choice = fuzz_u8(&in) & 3u;

    if (choice == 0) {
        judge_received(&in);
    } else if (choice == 1) {
        judge_values(&in);
    } else {
        judge_changed(&in);
    }
    return FUZZ_TAKEN;
}
