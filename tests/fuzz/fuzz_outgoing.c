/* SPDX-License-Identifier: BSD-3-Clause */
/* The outgoing security procedure with any tables.
 *
 * Judged: a refused frame and the PIB are unchanged. A secured frame used up exactly one counter,
 * or the slot's ASN, and the store had kept it before. It opens under one of the keys to the
 * original frame plus ASH, and without the ASH it equals the original. The same frame made from its
 * parts gives the same octets. The next frame has another nonce. */
#include "tables.h"

static void take_params(fuzz_input *in, wm_security_params *params)
{
    const uint8_t choice = fuzz_u8(in);

    params->level = (choice & 0xE7u) == 0xE7u ? 9 : choice & 7u;
    params->key_id_mode = choice >> 3 & 3u;
    params->key_index = (uint8_t)(1u + (choice >> 5 & 1u));
    memcpy(params->key_source, fuzz_key_source(choice >> 6), 8);
    if ((choice & 0x80u) != 0) {
        params->key_index = fuzz_u8(in);
        params->key_id_mode = (uint8_t)(params->key_id_mode + (fuzz_u8(in) >> 7));
    }
}

/* The only counter that may move is an outgoing one, by one. */
static void judge_counters(const fuzz_tables *was, const fuzz_tables *now, const wm_mhr *mhr)
{
    const wm_frame_counter *moved = NULL;
    uint32_t from = 0;
    const unsigned count = fuzz_counters_moved(was, now, &moved, &from);

    if (now->pib.nonce_form == WM_NONCE_ASN) {
        FUZZ_REQUIRE(count == 0 && !was->pib.asn_used && now->pib.asn_used);
        FUZZ_REQUIRE(!fuzz_all(now->pib.asn, 5, 0xFF) && fuzz_asn_kept(now));
        return;
    }
    FUZZ_REQUIRE(count == 1 && moved->next == from + 1u && mhr->ash.frame_counter == from &&
                 from != UINT32_MAX);
    FUZZ_REQUIRE(moved == &now->pib.counter || moved == &now->key_counter[0] ||
                 moved == &now->key_counter[1]);
    FUZZ_REQUIRE(fuzz_counter_kept(now, moved, from));
}

/* The secured frame opens under a key of the table; what the table layer does to nonces of short
 * sources is left aside. */
static void judge_opens(const fuzz_tables *now, const uint8_t *frame, uint8_t len,
                        const wm_mhr *mhr, const uint8_t *clear, uint8_t clear_len)
{
    const bool asn = now->pib.nonce_form == WM_NONCE_ASN;
    bool opened = asn && mhr->src.mode == WM_ADDR_SHORT;
    uint8_t k;

    for (k = 0; k < FUZZ_KEYS; k++) {
        wm_security sec = {.cipher = now->key[k].cipher,
                           .profile = now->pib.edition == WM_EDITION_2015 ? WM_PROFILE_2015
                                                                          : WM_PROFILE_2011,
                           .nonce_form = (wm_nonce_form)now->pib.nonce_form,
                           .src_ext = now->pib.ext_addr};
        uint8_t copy[WM_PSDU_MAX];
        uint8_t copy_len = len;

        memcpy(sec.asn, now->pib.asn, 5);
        memcpy(copy, frame, len);
        if (wm_frame_unsecure(&sec, copy, &copy_len) >= 0) {
            FUZZ_REQUIRE(wm_ash_remove(copy, &copy_len) == WM_OK && copy_len == clear_len);
            copy[1] = (uint8_t)(copy[1] & ~0x30u) | (clear[1] & 0x30u); /* version 0 became 1 */
            opened = opened || memcmp(copy, clear, clear_len) == 0;
        }
    }
    FUZZ_REQUIRE(opened);
}

static void judge_secured(fuzz_tables *was, fuzz_tables *now, const fuzz_frame *clear,
                          const wm_security_params *params, const uint8_t *frame, uint8_t len)
{
    const uint8_t header = clear->map.header_ie;
    uint8_t built[WM_FRAME_MAX];
    uint8_t built_len = 0;
    wm_mhr mhr;
    wm_frame_map map;

    FUZZ_REQUIRE(wm_frame_parse(frame, len, &mhr, &map) == WM_OK);
    FUZZ_REQUIRE(mhr.security_enabled && mhr.ash.level == params->level &&
                 mhr.ash.key_id_mode == params->key_id_mode);
    FUZZ_REQUIRE(len == clear->len + wm_ash_len(&mhr.ash) + wm_level_mic_len(params->level));
    judge_counters(was, now, &mhr);
    judge_opens(now, frame, len, &mhr, clear->octet, clear->len);
    /* From its parts, once more from where we began. */
    memcpy(now, was, sizeof *now);
    FUZZ_REQUIRE(wm_outgoing_build(&now->pib, params, &clear->mhr, clear->octet + header,
                                   (uint8_t)(clear->len - header), built, sizeof built,
                                   &built_len) == WM_OK);
    FUZZ_REQUIRE(built_len == len && memcmp(built, frame, len) == 0);
    /* The next one: another counter, or none in this slot any more. */
    memcpy(built, clear->octet, clear->len);
    built_len = clear->len;
    memcpy(was, now, sizeof *was);
    if (wm_outgoing_secure(&now->pib, params, built, sizeof built, &built_len) == WM_OK) {
        FUZZ_REQUIRE(now->pib.nonce_form == WM_NONCE_COUNTER);
        FUZZ_REQUIRE(wm_frame_parse(built, built_len, &mhr, &map) == WM_OK);
        judge_counters(was, now, &mhr);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_tables now;
    static fuzz_tables was;
    fuzz_input in = {data, size};
    fuzz_frame clear;
    wm_security_params params;
    uint8_t *frame;
    uint8_t less;
    uint8_t room;
    uint8_t len;

    if (!fuzz_take_tables(&in, &now)) {
        return FUZZ_USELESS;
    }
    take_params(&in, &params);
    less = fuzz_u8(&in);
    fuzz_take_mhr(&in, &clear.mhr);
    fuzz_bend_mhr(&now, &clear.mhr, false);
    clear.mhr.security_enabled = (less & 0x80u) != 0;
    if (!fuzz_take_body(&in, &clear, true)) {
        return FUZZ_USELESS;
    }
    memcpy(&was, &now, sizeof was);
    room = (less & 0x40u) != 0 ? (uint8_t)(clear.len + (less & 0x1Fu)) : WM_FRAME_MAX;
    frame = malloc(room);
    memset(frame, 0xEE, room);
    memcpy(frame, clear.octet, clear.len);
    len = clear.len;
    if (wm_outgoing_secure(&now.pib, &params, frame, room, &len) == WM_OK && params.level != 0) {
        FUZZ_REQUIRE(len <= room);
        judge_secured(&was, &now, &clear, &params, frame, len);
    } else {
        FUZZ_REQUIRE(!fuzz_tables_moved(&was, &now) && len == clear.len &&
                     memcmp(frame, clear.octet, len) == 0);
        FUZZ_REQUIRE(fuzz_all(frame + len, (size_t)(room - len), 0xEE));
    }
    free(frame);
    return FUZZ_TAKEN;
}
