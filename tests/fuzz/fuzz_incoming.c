/* SPDX-License-Identifier: BSD-3-Clause */
/* The incoming security procedure with any tables: of any frame, of an ack, of the beacon by which
 * a node joins.
 *
 * A frame is secured under one of the keys, perhaps changed, and received. Judged: a refused frame
 * moves nothing in the PIB and is as it came, or zero behind the ASH; an accepted one has a right
 * MIC under the key that the procedure names, a level and use that the tables allow (found here by
 * another search), moves one counter to just behind its own and is refused when it comes again;
 * unsecured ones pass only where policy says so. */
#include <wardmote/ie.h>
#include "tables.h"

enum { BY_UNSECURE, BY_ACK, BY_JOIN };

typedef struct arrival {
    fuzz_frame frame; /* in clear, with how it was secured */
    uint8_t octet[WM_PSDU_MAX];
    uint8_t len;
    uint8_t procedure;
    uint8_t key;
    bool secured; /* octet is frame.octet, secured */
    bool intact;  /* and not changed afterwards */
    wm_mhr sent;  /* what an ack answers */
} arrival;

static wm_status receive(fuzz_tables *tables, const arrival *what, uint8_t *at, uint8_t *len,
                         wm_incoming *result)
{
    switch (what->procedure) {
    case BY_ACK:
        return wm_incoming_ack(&tables->pib, &what->sent, at, len, result);
    case BY_JOIN:
        return wm_incoming_join(&tables->pib, at, len, result);
    default:
        return wm_incoming_unsecure(&tables->pib, at, len, result);
    }
}

/* By the level table: 0 no descriptor, 1 refused, 2 only from exempt devices, 3 allowed. */
static int level_verdict(const wm_security_pib *pib, uint8_t type, uint8_t command, uint8_t level)
{
    uint16_t i = 0;
    bool allowed;

    while (i < pib->level_count &&
           (pib->levels[i].frame_type != type ||
            (type == WM_FRAME_COMMAND && pib->levels[i].command_id != WM_ANY_COMMAND &&
             pib->levels[i].command_id != command))) {
        i++;
    }
    if (i == pib->level_count) {
        return 0;
    }
    if (pib->edition == WM_EDITION_2015 ||
        (pib->edition != WM_EDITION_2006 && pib->levels[i].allowed_levels != 0)) {
        allowed = (pib->levels[i].allowed_levels & 1u << level) != 0;
    } else {
        const uint8_t least = pib->levels[i].minimum;
        allowed = (level >> 2) >= (least >> 2) && (level & 3u) >= (least & 3u) &&
                  ((level & 3u) != 0 || pib->levels[i].minimum_admits_unauthenticated);
    }
    return allowed ? 3 : level == 0 && pib->levels[i].device_override ? 2 : 1;
}

static bool usable(const wm_key_descriptor *key, uint8_t type, uint8_t command)
{
    uint16_t i;

    for (i = 0; i < key->usage_count; i++) {
        if (key->usage[i].frame_type == type &&
            (type != WM_FRAME_COMMAND || key->usage[i].command_id == command ||
             key->usage[i].command_id == WM_ANY_COMMAND)) {
            return true;
        }
    }
    return false;
}

static void judge_refused(const fuzz_tables *was, const fuzz_tables *now, const arrival *what,
                          const uint8_t *at, uint8_t len)
{
    wm_mhr mhr;
    wm_frame_map map;

    FUZZ_REQUIRE(!fuzz_tables_moved(was, now));
    FUZZ_REQUIRE(len == what->len);
    if (memcmp(at, what->octet, len) != 0) {
        FUZZ_REQUIRE(wm_frame_parse(what->octet, len, &mhr, &map) == WM_OK && mhr.security_enabled);
        FUZZ_REQUIRE(memcmp(at, what->octet, map.header_ie) == 0);
        FUZZ_REQUIRE(fuzz_all(at + map.header_ie, (size_t)(len - map.header_ie), 0));
    }
}

static void judge_unsecured(const fuzz_tables *was, const fuzz_tables *now, const arrival *what,
                            const uint8_t *at, uint8_t len, const wm_incoming *result)
{
    const wm_security_pib *pib = &now->pib;
    const int verdict = level_verdict(pib, result->mhr.type, result->command_id, 0);

    FUZZ_REQUIRE(result->level == 0 && result->key == WM_NO_INDEX);
    FUZZ_REQUIRE(len == what->len && memcmp(at, what->octet, len) == 0);
    FUZZ_REQUIRE(what->procedure == BY_JOIN || !fuzz_tables_moved(was, now));
    if (!pib->security_disabled) {
        const bool exempt = result->device != WM_NO_INDEX && pib->devices[result->device].exempt;
        const bool imm_ack =
            result->mhr.type == WM_FRAME_ACK && result->mhr.version < WM_VERSION_2015 && len == 3;
        FUZZ_REQUIRE(what->procedure != BY_JOIN);
        FUZZ_REQUIRE(verdict == 3 || (verdict == 2 && exempt) || (verdict == 0 && imm_ack));
    }
}

static void judge_counters(const fuzz_tables *was, const fuzz_tables *now,
                           const wm_incoming *result)
{
    const wm_frame_counter *moved = NULL;
    uint32_t from = 0;
    const unsigned count = fuzz_counters_moved(was, now, &moved, &from);

    if (now->pib.nonce_form == WM_NONCE_ASN) {
        FUZZ_REQUIRE(count == 0 && fuzz_asn_kept(now));
        return;
    }
    FUZZ_REQUIRE(count == 1);
    FUZZ_REQUIRE(moved->next == result->mhr.ash.frame_counter + 1u &&
                 from <= result->mhr.ash.frame_counter);
    FUZZ_REQUIRE(moved->next != 0 && moved != &now->pib.counter);
    FUZZ_REQUIRE(fuzz_counter_kept(now, moved, from));
}

/* Nothing tells a changed frame: it moves a counter that only such frames have, and nothing that is
 * stored. */
static void judge_level_4(const fuzz_tables *was, const fuzz_tables *now, const wm_incoming *result)
{
    const wm_key_device *devices = now->key_device[result->key];
    const wm_frame_counter *moved = NULL;
    uint32_t from = 0;
    const unsigned count = fuzz_counters_moved(was, now, &moved, &from);

    FUZZ_REQUIRE(now->pib.edition != WM_EDITION_2015 &&
                 memcmp(was->medium, now->medium, sizeof was->medium) == 0);
    if (now->pib.nonce_form == WM_NONCE_ASN) {
        FUZZ_REQUIRE(count == 0);
        return;
    }
    FUZZ_REQUIRE(count == 1 && moved->next == result->mhr.ash.frame_counter + 1u &&
                 from < moved->next);
    FUZZ_REQUIRE(moved == &devices[0].counter || moved == &devices[1].counter ||
                 moved == &devices[2].counter);
}

static void judge_secured(const fuzz_tables *was, const fuzz_tables *now, const arrival *what,
                          const uint8_t *at, uint8_t len, const wm_incoming *result)
{
    const wm_security_pib *pib = &now->pib;
    const uint8_t level = result->level;

    FUZZ_REQUIRE(!pib->security_disabled && result->key < pib->key_count &&
                 level == result->mhr.ash.level && level != 0);
    FUZZ_REQUIRE(level_verdict(pib, result->mhr.type, result->command_id, level) == 3);
    FUZZ_REQUIRE(usable(&pib->keys[result->key], result->mhr.type, result->command_id));
    FUZZ_REQUIRE(len == what->len - wm_level_mic_len(level));
    if (wm_level_mic_len(level) == 0) {
        judge_level_4(was, now, result);
        return;
    }
    judge_counters(was, now, result);
    FUZZ_REQUIRE(what->secured && what->intact && what->key == result->key);
    FUZZ_REQUIRE(len == what->frame.len && memcmp(at, what->frame.octet, len) == 0);
}

static bool is_at(const wm_device_descriptor *device, const wm_addr *addr, uint16_t pan)
{
    return addr->mode == WM_ADDR_EXT
               ? memcmp(device->ext_addr, addr->octet, 8) == 0
               : device->short_addr < 0xFFFE && device->pan == pan &&
                     device->short_addr == (addr->octet[0] << 8 | addr->octet[1]);
}

/* Whoever answered is the device that the frame went to, if the table knows both. */
static void judge_ack(const wm_security_pib *pib, const wm_mhr *sent, const wm_incoming *result)
{
    const uint16_t pan = sent->dst_pan_present   ? sent->dst_pan
                         : sent->src_pan_present ? sent->src_pan
                                                 : pib->pan;
    uint16_t i = 0;

    if (sent->dst.mode == WM_ADDR_NONE || result->device == WM_NO_INDEX) {
        return;
    }
    while (i < pib->device_count && !is_at(&pib->devices[i], &sent->dst, pan)) {
        i++;
    }
    FUZZ_REQUIRE(i == pib->device_count ||
                 memcmp(pib->devices[i].ext_addr, pib->devices[result->device].ext_addr, 8) == 0);
}

static void judge_accepted(fuzz_tables *was, fuzz_tables *now, const arrival *what,
                           const uint8_t *at, uint8_t len, const wm_incoming *result)
{
    const wm_frame_map *map = &result->map;
    uint8_t again[WM_PSDU_MAX];
    uint8_t again_len = what->len;
    wm_incoming ignored;

    FUZZ_REQUIRE(map->ash <= map->header_ie && map->header_ie <= map->open &&
                 map->open <= map->private_payload);
    FUZZ_REQUIRE(map->private_payload <= len && map->open <= result->payload &&
                 result->payload <= len);
    FUZZ_REQUIRE(result->mhr.type != WM_FRAME_COMMAND || at[result->payload] == result->command_id);
    if (what->procedure == BY_JOIN) {
        FUZZ_REQUIRE(memcmp(was->pib.asn, now->pib.asn, 5) <= 0 && now->pib.asn_used);
    } else {
        FUZZ_REQUIRE(memcmp(was->pib.asn, now->pib.asn, 5) == 0);
    }
    if (what->procedure == BY_ACK) {
        judge_ack(&now->pib, &what->sent, result);
    }
    if (!result->mhr.security_enabled) {
        judge_unsecured(was, now, what, at, len, result);
        return;
    }
    judge_secured(was, now, what, at, len, result);
    if (now->pib.nonce_form == WM_NONCE_COUNTER) {
        memcpy(again, what->octet, again_len);
        memcpy(was, now, sizeof *was);
        FUZZ_REQUIRE(receive(now, what, again, &again_len, &ignored) < 0);
        FUZZ_REQUIRE(!fuzz_tables_moved(was, now));
    }
}

/* Frames that the procedures for one kind only would refuse at once are bent to that kind. */
static void bend_kind(arrival *what, wm_mhr *mhr)
{
    if (what->procedure == BY_ACK) {
        mhr->type = WM_FRAME_ACK;
        if ((mhr->seq & 3u) != 0) { /* mostly by the addresses of what it answers, in some PAN */
            mhr->dst = what->sent.src;
            mhr->src = what->sent.dst;
        }
        mhr->seq = what->sent.seq;
        mhr->seq_suppressed = what->sent.seq_suppressed && mhr->version == WM_VERSION_2015;
    } else if (what->procedure == BY_JOIN) {
        mhr->type = WM_FRAME_BEACON;
        mhr->version = WM_VERSION_2015;
        mhr->ie_present = true;
    }
}

/* The Synchronization IE of a beacon for joining, put where its payload IEs begin if there is room;
 * its ASN in `asn`. */
static void put_sync(fuzz_input *in, fuzz_frame *frame, uint8_t asn[5])
{
    const uint8_t low = fuzz_u8(in);
    const uint8_t ies[10] = {0x08,   0x88,   6,      WM_IE_TSCH_SYNC, low,
                             asn[3], asn[2], asn[1], asn[0],          0};

    if (frame->map.private_payload + sizeof ies <= frame->len) {
        memcpy(frame->octet + frame->map.private_payload, ies, sizeof ies);
        asn[4] = low;
    }
}

/* A frame that asks the first device for an ack, by its short address in its PAN. */
static void bend_question(const fuzz_tables *tables, wm_mhr *sent)
{
    sent->ack_request = true;
    sent->dst_pan = tables->device[0].pan;
    if (sent->dst.mode == WM_ADDR_SHORT) {
        sent->dst.octet[0] = (uint8_t)(tables->device[0].short_addr >> 8);
        sent->dst.octet[1] = (uint8_t)tables->device[0].short_addr;
    }
}

/* False if no such frame can be made. */
static bool take_arrival(fuzz_input *in, const fuzz_tables *tables, arrival *what)
{
    const uint8_t choice = fuzz_u8(in);
    const uint8_t where = fuzz_u8(in);
    const uint8_t change = fuzz_u8(in);
    const wm_security_pib *pib = &tables->pib;
    wm_security *sec = &what->frame.sec;
    uint8_t sent[WM_FRAME_MAX];
    uint8_t len;

    what->procedure = (choice & 3u) == 3u ? BY_UNSECURE : choice & 3u;
    what->key = choice >> 2 & 1u;
    if (what->procedure == BY_ACK) {
        fuzz_take_mhr(in, &what->sent);
        fuzz_bend_mhr(tables, &what->sent, false);
        if ((choice & 0x80u) != 0) {
            bend_question(tables, &what->sent);
        }
        if (wm_mhr_build(&what->sent, sent, sizeof sent, &len) != WM_OK ||
            wm_frame_parse_clear(sent, len, &what->sent, &what->frame.map) != WM_OK) {
            return false;
        }
    }
    fuzz_take_mhr(in, &what->frame.mhr);
    fuzz_bend_mhr(tables, &what->frame.mhr, (choice & 0x08u) != 0);
    bend_kind(what, &what->frame.mhr);
    if (!fuzz_take_body(in, &what->frame, true)) {
        return false;
    }
    *sec = (wm_security){.cipher = fuzz_key(what->key),
                         .profile =
                             pib->edition == WM_EDITION_2015 ? WM_PROFILE_2015 : WM_PROFILE_2011,
                         .nonce_form = (wm_nonce_form)pib->nonce_form,
                         .src_ext = fuzz_ext(choice >> 4)};
    memcpy(sec->asn, pib->asn, 5);
    if (what->procedure == BY_JOIN) {
        put_sync(in, &what->frame, sec->asn);
    }
    len = what->frame.len;
    memcpy(what->octet, what->frame.octet, len);
    what->secured = what->frame.mhr.security_enabled &&
                    wm_frame_secure(sec, what->octet, sizeof what->octet, &len) == WM_OK;
    what->intact = true;
    what->len = len;
    if ((choice & 0x40u) != 0) {
        what->octet[where % len] ^= change;
        what->intact = change == 0;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_tables now; /* points into itself: one place for all inputs */
    static fuzz_tables was;
    fuzz_input in = {data, size};
    arrival what;
    wm_incoming result;
    wm_status status;
    uint8_t *at;
    uint8_t len;

    if (!fuzz_take_tables(&in, &now) || !take_arrival(&in, &now, &what)) {
        return FUZZ_USELESS;
    }
    memcpy(&was, &now, sizeof was);
    at = fuzz_copy(what.octet, what.len);
    len = what.len;
    status = receive(&now, &what, at, &len, &result);
    if (status >= 0) {
        FUZZ_REQUIRE(status == (result.level == 0                     ? WM_NOT_SECURED
                                : wm_level_mic_len(result.level) == 0 ? WM_NOT_AUTHENTICATED
                                                                      : WM_OK));
        judge_accepted(&was, &now, &what, at, len, &result);
    } else {
        judge_refused(&was, &now, &what, at, len);
    }
    free(at);
    return FUZZ_TAKEN;
}
