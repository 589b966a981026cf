/* SPDX-License-Identifier: BSD-3-Clause */
/* The incoming frame security procedure.
 *
 * References: IEEE 802.15.4-2006 7.5.8.2.3, 2011 7.2.3, 2012e, 2015 9.2.4 (secured frames),
 * 9.2.5 (unsecured frames), 6.3.6 (joining), 6.7.2 (acknowledgment). Letters of steps are those
 * of 2011 7.2.3; the other editions answer with the same statuses, and here in the same order.
 * Invariant: no counter, ASN or flag of the PIB is written before the MIC was right, every
 * policy passed and the store kept the counter; on every other way out nothing decrypted is left
 * in the frame. */
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/eb.h>
#include "../util/octets8.h"
#include "security_tables.h"
#include "tsch_time.h"

#define LEVEL_ENCRYPTED 4u
#define ALL_ONES UINT32_MAX
#define IMM_ACK_LEN 3u /* FCF 2 | sequence number 1 */

/* One frame while it is processed. */
typedef struct incoming {
    wm_security_pib *pib;
    uint8_t *frame;
    wm_psdu_len *len;
    wm_incoming *result;
    /* Of an ack: who it must come from, also if it says no source. NULL: anybody; an absent source
     * means the PAN coordinator. */
    const wm_station *peer;
    const uint8_t *asn; /* for the nonce */
    const wm_key_descriptor *key;
    wm_station station;
    wm_sender sender;
    uint16_t command_id; /* WM_COMMAND_UNKNOWN while encrypted; 0 in other frames */
} incoming;

/* Of a frame that is parsed. */
static wm_status begin(const incoming *in)
{
    wm_incoming *result = in->result;

    result->payload = 0;
    result->command_id = 0;
    result->level = result->mhr.security_enabled ? result->mhr.ash.level : 0;
    result->key_id_mode = result->mhr.security_enabled ? result->mhr.ash.key_id_mode : 0;
    result->key = WM_NO_INDEX;
    result->device = WM_NO_INDEX;
    /* To 2006 and 2011 version 2 is reserved. */
    return result->mhr.version == WM_VERSION_2015 && in->pib->edition > WM_EDITION_2012E
               ? WM_ERR_MALFORMED
               : WM_OK;
}

static wm_status parse(const incoming *in)
{
    const wm_status status =
        wm_frame_parse(in->frame, *in->len, &in->result->mhr, &in->result->map);

    return status == WM_OK ? begin(in) : status;
}

/* Payload and command identifier of what is in clear and ends at `end`. */
static wm_status read_payload(incoming *in, const wm_security_pib *policy, wm_psdu_len end)
{
    wm_incoming *result = in->result;
    const wm_status status = wm_ies_check(policy, result->level, in->frame, &result->mhr,
                                          &result->map, end, &result->payload);

    if (status != WM_OK || result->mhr.type != WM_FRAME_COMMAND) {
        return status;
    }
    if (result->payload == end) {
        return WM_ERR_MALFORMED;
    }
    result->command_id = in->frame[result->payload];
    in->command_id = result->command_id;
    return WM_OK;
}

/* Steps b to d, and that the ASH agrees with our form of the nonce. */
static wm_status check_form(const incoming *in)
{
    const wm_security_pib *pib = in->pib;
    const wm_mhr *mhr = &in->result->mhr;
    const bool asn = pib->nonce_form == WM_NONCE_ASN;
    wm_frame_split split;
    const wm_status status =
        wm_frame_split_secured(mhr, &in->result->map, wm_profile_of(pib), *in->len, &split);

    if (status != WM_OK) {
        return status;
    }
    if (pib->security_disabled || mhr->ash.counter_suppressed != asn ||
        mhr->ash.asn_in_nonce != asn) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    return WM_OK;
}

/* Whether the sender of a secured ack, which a link key may have told, is the device that the
 * acknowledged frame went to. */
static bool is_peer(const incoming *in)
{
    const uint16_t peer = wm_device_lookup(in->pib, in->peer);

    return peer == WM_NO_INDEX || in->sender.device == WM_NO_INDEX ||
           wm_same8(in->pib->devices[peer].ext_addr, in->sender.ext_addr);
}

/* Steps f and g. */
static wm_status find_key_and_sender(incoming *in)
{
    const wm_ash *ash = &in->result->mhr.ash;
    wm_status status;

    in->result->key =
        wm_key_lookup(in->pib, ash->key_id_mode, ash->key_source, ash->key_index, &in->station);
    if (in->result->key == WM_NO_INDEX) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    in->key = &in->pib->keys[in->result->key];
    status = wm_sender_lookup(in->pib, in->key, &in->station, &in->sender);
    in->result->device = in->sender.device;
    return status == WM_OK && in->peer != NULL && !is_peer(in) ? WM_ERR_NOT_FOR_US : status;
}

/* 2011 5.2.2.3: three octets. A longer frame has content that came in clear, whatever its frame
 * type says. */
static bool is_imm_ack(const incoming *in)
{
    const wm_mhr *mhr = &in->result->mhr;

    return mhr->type == WM_FRAME_ACK && mhr->version != WM_VERSION_2015 && !mhr->security_enabled &&
           *in->len == IMM_ACK_LEN;
}

static bool has_mic(const incoming *in)
{
    return wm_level_mic_len(in->result->level) != 0;
}

/* Steps h to k. An Imm-Ack can not be secured: a policy about acks counts for it only where there
 * is one. */
static wm_status check_level(const incoming *in)
{
    const wm_incoming *result = in->result;

    switch (wm_level_check(in->pib, result->mhr.type, in->command_id, result->level)) {
    case WM_LEVEL_PASSED:
        return WM_OK;
    case WM_LEVEL_CONDITIONALLY_PASSED:
        return result->device != WM_NO_INDEX && in->pib->devices[result->device].exempt
                   ? WM_OK
                   : WM_ERR_IMPROPER_SECURITY_LEVEL;
    case WM_LEVEL_NO_DESCRIPTOR:
        return is_imm_ack(in) ? WM_OK : WM_ERR_UNAVAILABLE_SECURITY_LEVEL;
    case WM_LEVEL_FAILED:
    default:
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
}

/* Steps l and m; a sender without counter is one whose nonces carry our own ASN. Level 4 is of
 * editions in which every sender with a counter has an entry. */
static wm_status check_counter(const incoming *in)
{
    const uint32_t counter = in->result->mhr.ash.frame_counter;
    const wm_frame_counter *least = in->sender.counter;

    if (least == NULL) {
        return wm_asn_used_up(in->asn) ? WM_ERR_COUNTER : WM_OK;
    }
    if (counter == ALL_ONES || counter < least->next) {
        return WM_ERR_COUNTER;
    }
    return !has_mic(in) && counter < in->sender.entry->counter.next ? WM_ERR_COUNTER : WM_OK;
}

/* Steps o and p. */
static wm_status open_frame(const incoming *in)
{
    wm_incoming *result = in->result;
    wm_security security;
    wm_header_saved saved;
    wm_status status;

    security.cipher = in->key->cipher;
    security.profile = wm_profile_of(in->pib);
    security.nonce_form = (wm_nonce_form)in->pib->nonce_form;
    security.src_ext = in->sender.ext_addr;
    wm_copy5(security.asn, in->asn);
    saved = wm_nonce_view(in->pib, &result->mhr);
    status = wm_frame_unsecure_as(&security, &result->mhr, &result->map, in->frame, in->len);
    wm_nonce_unview(&result->mhr, saved);
    /* no address for the nonce */
    return status == WM_ERR_PARAM ? WM_ERR_UNAVAILABLE_DEVICE : status;
}

/* Fields that only the decrypted frame shows: identifier of a command of version 2, payload IEs. */
static wm_status check_content(incoming *in)
{
    const bool hidden = in->command_id == WM_COMMAND_UNKNOWN;
    wm_status status = read_payload(in, in->pib, *in->len);

    if (status == WM_OK && hidden) {
        status = check_level(in);
        if (status == WM_OK && !wm_usage_check(in->key, in->result->mhr.type, in->command_id)) {
            status = WM_ERR_IMPROPER_KEY_TYPE;
        }
    }
    return status;
}

/* Step q, 2006 7.5.8.2.3: a device whose counter ends may not use this key again. Departs: level 4
 * has no MIC, so anybody can forge its counter. It moves a counter of its own, only in RAM. So a
 * frame comes once. A forged frame mutes the sender at no other level and not beyond a restart, and
 * it wears no medium. */
static wm_status count(const incoming *in)
{
    wm_frame_counter *counter = in->sender.counter;
    const uint32_t next = in->result->mhr.ash.frame_counter + 1u;

    if (!has_mic(in)) {
        if (counter != NULL) {
            in->sender.entry->counter.next = next;
        }
        return WM_OK;
    }
    if (counter == NULL) {
        return wm_asn_keep(in->pib, in->asn);
    }
    if (wm_counter_keep(in->pib, counter, next) != WM_OK) {
        return WM_ERR_STORAGE;
    }
    counter->next = next;
    if (next == ALL_ONES && in->pib->edition != WM_EDITION_2015) {
        in->sender.entry->blacklisted = true;
    }
    return WM_OK;
}

/* Checks everything that can be known before the MIC. */
static wm_status admit_secured(incoming *in)
{
    const wm_incoming *result = in->result;
    wm_status status = check_form(in);

    if (status == WM_OK) {
        status = find_key_and_sender(in);
    }
    if (status == WM_OK && result->mhr.type == WM_FRAME_COMMAND) {
        in->command_id = WM_COMMAND_UNKNOWN;
        if (result->mhr.version != WM_VERSION_2015 || result->level < LEVEL_ENCRYPTED) {
            status =
                read_payload(in, NULL, (wm_psdu_len)(*in->len - wm_level_mic_len(result->level)));
        }
    }
    if (status == WM_OK) {
        status = check_level(in);
    }
    if (status == WM_OK) {
        status = check_counter(in);
    }
    if (status == WM_OK && !wm_usage_check(in->key, result->mhr.type, in->command_id)) {
        status = WM_ERR_IMPROPER_KEY_TYPE;
    }
    return status;
}

static wm_status take_secured(incoming *in)
{
    const wm_psdu_len received = *in->len;
    const wm_psdu_len behind_ash = in->result->map.header_ie;
    wm_status opened = admit_secured(in);
    wm_status status;

    if (opened == WM_OK) {
        opened = open_frame(in);
    }
    if (opened < 0) {
        return opened;
    }
    status = check_content(in);
    if (status == WM_OK) {
        status = count(in);
    }
    if (status != WM_OK) {
        wm_wipe(in->frame + behind_ash, (uint16_t)(received - behind_ash));
        in->result->command_id = 0; /* plaintext, too, and lengths that were encrypted */
        in->result->payload = 0;
        *in->len = received;
        return status;
    }
    return opened; /* authenticated, or not: level 4 */
}

/* 2015 9.2.5; with secEnabled FALSE whatever comes in clear (step d). */
static wm_status take_unsecured(incoming *in)
{
    const bool enabled = !in->pib->security_disabled;
    wm_status status;

    in->result->device = wm_device_lookup(in->pib, &in->station);
    status = read_payload(in, NULL, *in->len);
    if (status == WM_OK && enabled) {
        status = check_level(in);
    }
    if (status == WM_OK && enabled) {
        status = read_payload(in, in->pib, *in->len);
    }
    return status == WM_OK ? WM_NOT_SECURED : status;
}

/* After parse. */
static wm_status take(incoming *in)
{
    in->command_id = 0;
    wm_station_source(in->pib, &in->result->mhr, in->peer, &in->station);
    return in->result->mhr.security_enabled ? take_secured(in) : take_unsecured(in);
}

wm_status wm_incoming_unsecure(wm_security_pib *pib, uint8_t *frame, wm_psdu_len *len,
                               wm_incoming *result)
{
    incoming in = {.pib = pib, .frame = frame, .len = len, .result = result, .asn = pib->asn};
    const wm_status status = parse(&in);

    return status == WM_OK ? take(&in) : status;
}

/* Extended addresses are unique in the world, short ones in their PAN. */
static bool same_station(const wm_station *a, const wm_station *b)
{
    if (a->addr.mode != b->addr.mode) {
        return false;
    }
    return a->addr.mode == WM_ADDR_EXT ? wm_same8(a->addr.octet, b->addr.octet)
                                       : a->pan == b->pan && a->addr.octet[0] == b->addr.octet[0] &&
                                             a->addr.octet[1] == b->addr.octet[1];
}

/* Whether an ack with this header answers `sent`, which went to `peer`. */
static bool answers(const wm_security_pib *pib, const wm_mhr *ack, const wm_mhr *sent,
                    const wm_station *peer)
{
    wm_station to;
    wm_station from;
    uint16_t device;

    if (ack->type != WM_FRAME_ACK || !sent->ack_request ||
        ack->seq_suppressed != sent->seq_suppressed || ack->seq != sent->seq) {
        return false;
    }
    wm_station_destination(pib, ack, &to);
    wm_station_source(pib, sent, NULL, &from);
    if (ack->dst.mode != WM_ADDR_NONE && (from.assumed || !same_station(&to, &from))) {
        return false;
    }
    wm_station_source(pib, ack, peer, &from);
    if (same_station(&from, peer)) {
        return true;
    }
    /* One device may have a short and an extended address; the table links them. */
    device = wm_device_lookup(pib, &from);
    return device != WM_NO_INDEX && device == wm_device_lookup(pib, peer);
}

wm_status wm_incoming_ack(wm_security_pib *pib, const wm_mhr *sent, uint8_t *frame,
                          wm_psdu_len *len, wm_incoming *result)
{
    wm_station peer;
    incoming in = {
        .pib = pib, .frame = frame, .len = len, .result = result, .peer = &peer, .asn = pib->asn};
    const wm_status status = parse(&in);

    if (status != WM_OK) {
        return status;
    }
    wm_station_destination(pib, sent, &peer);
    if (!answers(pib, &result->mhr, sent, &peer)) {
        return WM_ERR_NOT_FOR_US;
    }
    /* 2015 6.7.2 */
    if (!pib->security_disabled && sent->security_enabled && !result->mhr.security_enabled &&
        *len > result->map.header_ie) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    return take(&in);
}

wm_status wm_incoming_join(wm_security_pib *pib, uint8_t *frame, wm_psdu_len *len,
                           wm_incoming *result)
{
    uint8_t asn[5];
    incoming in = {.pib = pib, .frame = frame, .len = len, .result = result, .asn = asn};
    wm_psdu_len end = *len;
    wm_status status = parse(&in);

    if (status != WM_OK) {
        return status;
    }
    if (result->mhr.type != WM_FRAME_BEACON || result->mhr.version != WM_VERSION_2015 ||
        pib->nonce_form != WM_NONCE_ASN) {
        return WM_ERR_NOT_FOR_US;
    }
    if (!pib->security_disabled && !result->mhr.security_enabled) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (!wm_payload_ies_follow(frame, &result->mhr, &result->map)) {
        return WM_ERR_MALFORMED;
    }
    end = (wm_psdu_len)(end - wm_level_mic_len(result->level));
    status = wm_eb_asn(frame + result->map.private_payload,
                       (wm_psdu_len)(end - result->map.private_payload), asn);
    if (status != WM_OK) {
        return status;
    }
    if (wm_asn_less(asn, pib->asn) || wm_asn_less(pib->join_asn_max, asn)) {
        return WM_ERR_COUNTER;
    }
    status = take(&in);
    if (status >= 0) {
        wm_copy5(pib->asn, asn);
        pib->asn_used = true;
    }
    return status;
}

wm_status wm_incoming_admit(wm_security_pib *pib, const wm_frame_job *job, wm_admission *admission)
{
    wm_psdu_len len = job->len;
    incoming in = {.pib = pib, .frame = job->frame, .len = &len, .result = &admission->found};
    wm_status status;

    admission->found.mhr = job->mhr;
    admission->found.map = job->map;
    in.asn = job->asn;
    status = begin(&in);
    if (status != WM_OK) {
        return status;
    }
    if (!job->mhr.security_enabled) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    wm_station_source(pib, &job->mhr, NULL, &in.station);
    status = admit_secured(&in);
    admission->counter = in.sender.counter;
    admission->entry = in.sender.entry;
    return status;
}

wm_status wm_incoming_accept(wm_security_pib *pib, const wm_frame_job *job, wm_admission *admission)
{
    wm_psdu_len len = job->len;
    incoming in = {.pib = pib, .frame = job->frame, .len = &len, .result = &admission->found};
    wm_status status;

    in.asn = job->asn;
    in.key = &pib->keys[admission->found.key];
    in.command_id = job->mhr.type == WM_FRAME_COMMAND ? WM_COMMAND_UNKNOWN : 0;
    in.sender.counter = admission->counter;
    in.sender.entry = admission->entry;
    status = check_content(&in);
    return status == WM_OK ? count(&in) : status;
}
