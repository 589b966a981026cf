/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole captures through the stack's procedures: the loop over frames, and the pcap file it writes.
 * References: IEEE 802.15.4-2015 9.2.2 (outgoing) and 9.2.4 (incoming), which the stack follows;
 * 6.7.2 (the sender of an Enh-Ack without source address); draft-ietf-opsawg-pcap (the file). */
#include <stddef.h>
#include <string.h>
#include <wardmote/octets.h>
#include "state.h"
#include "where.h"

#define FILE_HEADER 24u
#define RECORD_HEADER 16u
#define SNAP_LENGTH 65535u
#define NS_PER_S 1000000000u
#define FCF0_SECURITY 0x08u
#define ASH_ASN_FORM 0x60u /* counter suppressed, ASN in nonce */

typedef struct batch {
    frames_state *state;
    const frames_job *job;
    frames_totals *totals;
} batch;

typedef wm_status handler(const batch *run, const psdu *found, uint64_t number, uint8_t *frame,
                          uint8_t *len, frames_result *result);

uint64_t frames_layout(void)
{
    uint64_t layout = 0;
    const uint64_t sizes[] = {sizeof(frames_capture), sizeof(frames_record), sizeof(frames_result),
                              sizeof(frames_totals),  sizeof(frames_key),    sizeof(frames_device),
                              sizeof(frames_job),     sizeof(frames_shown)};

    for (uint8_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        layout = layout * 1009 + sizes[i];
    }
    return layout;
}

/* Written least significant octet first, whatever machine this is. */
static void put_file_header(uint8_t *out, const frames_job *job)
{
    memset(out, 0, FILE_HEADER);
    wm_store_le32(out, job->nanoseconds ? 0xA1B23C4Du : 0xA1B2C3D4u);
    wm_store_le16(out + 4, 2);
    wm_store_le16(out + 6, 4);
    wm_store_le32(out + 16, SNAP_LENGTH);
    wm_store_le32(out + 20, job->link_type);
}

static void put_record_header(uint8_t *out, const frames_job *job, uint64_t time_ns, uint32_t len,
                              uint32_t original)
{
    const uint32_t fraction = (uint32_t)(time_ns % NS_PER_S);

    wm_store_le32(out, (uint32_t)(time_ns / NS_PER_S));
    wm_store_le32(out + 4, job->nanoseconds ? fraction : fraction / 1000);
    wm_store_le32(out + 8, len);
    wm_store_le32(out + 12, original);
}

/* Adds a sender that the tables do not have, if the job allows it and the nonce has the counter
 * form: with the ASN the standard keeps no state for a sender. */
static bool learn_sender(frames_state *state, const uint8_t *frame, uint8_t len)
{
    wm_mhr mhr;
    wm_frame_map map;
    const wm_addr *sender = &mhr.src;

    if (wm_frame_parse(frame, len, &mhr, &map) != WM_OK) {
        return false;
    }
    if (mhr.type == WM_FRAME_ACK && mhr.src.mode == WM_ADDR_NONE && state->has_answered) {
        sender = &state->answered.dst;
    }
    return sender->mode == WM_ADDR_EXT && state_find_ext(state, sender->octet) == WM_NO_INDEX &&
           state_learn(state, sender->octet, mhr.src_pan) != WM_NO_INDEX;
}

/* Counters may repeat: undoes what the procedure stored for this one. */
static void forget_counter(frames_state *state, const wm_incoming *incoming)
{
    const wm_security_pib *pib = &state->pib;

    if (incoming->key >= pib->key_count || incoming->device >= pib->device_count) {
        return;
    }
    /* The counter is that of the first descriptor with this address. */
    const uint16_t first = state_find_ext(state, pib->devices[incoming->device].ext_addr);
    wm_key_device *device = &state->key_devices[incoming->key][first];
    device->counter.next = 0;
    state->key_devices[incoming->key][incoming->device].counter.next = 0;
    state->key_devices[incoming->key][incoming->device].blacklisted = false;
    state->device_counters[first].next = 0;
}

static bool is_secured(const uint8_t *frame, uint8_t len, uint8_t *control)
{
    const uint8_t at = len < 2 ? 0 : wm_frame_addressing_len(frame);

    if (at == 0 || at >= len || (frame[0] & FCF0_SECURITY) == 0) {
        return false;
    }
    *control = frame[at];
    return true;
}

/* 2015 6.7.2: an Enh-Ack without source address comes from the destination of the frame that it
 * acknowledges. */
static bool answers(const frames_state *state, const uint8_t *frame, uint8_t len)
{
    return len >= 2 && state->has_answered && (frame[0] & 7u) == WM_FRAME_ACK &&
           (frame[1] >> 4 & 3u) == WM_VERSION_2015 && frame[1] >> 6 == WM_ADDR_NONE;
}

static wm_status unsecure(const batch *run, const psdu *found, uint64_t number, uint8_t *frame,
                          uint8_t *len, frames_result *result)
{
    frames_state *state = run->state;
    wm_incoming incoming;
    bool learned = false;
    uint8_t control = 0;

    result->secured = is_secured(frame, *len, &control);
    if (result->secured) {
        const bool asn_form = (control & ASH_ASN_FORM) != 0;
        result->reason = (uint8_t)state_set_nonce(state, run->job, asn_form, found, number);
        if (result->reason != FRAMES_NO_REASON) {
            return WM_ERR_PARAM;
        }
        learned = run->job->strangers != 0 && !asn_form && learn_sender(state, frame, *len);
    }
    wm_status status = WM_ERR_NOT_FOR_US;
    if (answers(state, frame, *len)) {
        status = wm_incoming_ack(&state->pib, &state->answered, frame, len, &incoming);
    }
    if (status == WM_ERR_NOT_FOR_US) {
        status = wm_incoming_unsecure(&state->pib, frame, len, &incoming);
    }
    state->has_answered =
        status == WM_OK && incoming.mhr.ack_request && incoming.mhr.type != WM_FRAME_ACK;
    if (status != WM_OK) {
        if (learned) {
            state_forget_last(state);
        }
        return status;
    }
    state->answered = incoming.mhr;
    if (!result->secured) {
        run->totals->in_clear++;
        return WM_OK;
    }
    if (incoming.key < FRAMES_KEYS) {
        run->totals->by_key[incoming.key]++;
    }
    if (run->job->replays != 0) {
        forget_counter(state, &incoming);
    }
    return wm_ash_remove(frame, len);
}

/* Finds the extended address for the nonce of a frame that does not carry it. A frame that cannot
 * be secured needs none. */
static frames_reason set_own_address(const batch *run, const wm_mhr *mhr)
{
    wm_security_pib *pib = &run->state->pib;
    uint16_t device = WM_NO_INDEX;

    if (mhr->type == WM_FRAME_ACK && mhr->version < WM_VERSION_2015) {
        return FRAMES_NO_REASON;
    }
    if (mhr->src.mode == WM_ADDR_EXT ||
        (mhr->src.mode == WM_ADDR_SHORT && pib->nonce_form == WM_NONCE_ASN)) {
        return FRAMES_NO_REASON;
    }
    if (mhr->src.mode == WM_ADDR_SHORT) {
        device = state_find_short(run->state, mhr->src_pan, wm_load_be16(mhr->src.octet));
    }
    if (device == WM_NO_INDEX && run->job->has_ext_addr == 0) {
        return FRAMES_NO_SOURCE;
    }
    memcpy(pib->ext_addr,
           device == WM_NO_INDEX ? run->job->ext_addr : run->state->devices[device].ext_addr, 8);
    return FRAMES_NO_REASON;
}

static wm_status secure(const batch *run, const psdu *found, uint64_t number, uint8_t *frame,
                        uint8_t *len, frames_result *result)
{
    wm_security_params params = {.level = run->job->level,
                                 .key_id_mode = run->job->key_id_mode,
                                 .key_index = run->job->key_index};
    wm_mhr mhr;
    wm_frame_map map;
    wm_status status = wm_frame_parse_clear(frame, *len, &mhr, &map);

    if (status != WM_OK) {
        return status;
    }
    memcpy(params.key_source, run->job->key_source, sizeof params.key_source);
    result->reason = FRAMES_ALREADY_SECURED;
    if (!mhr.security_enabled) {
        const bool asn_form = run->state->pib.nonce_form == WM_NONCE_ASN;
        result->reason = (uint8_t)state_set_nonce(run->state, run->job, asn_form, found, number);
    }
    if (result->reason == FRAMES_NO_REASON) {
        result->reason = (uint8_t)set_own_address(run, &mhr);
    }
    if (result->reason != FRAMES_NO_REASON) {
        return WM_ERR_PARAM;
    }
    status = wm_outgoing_secure(&run->state->pib, &params, frame, WM_FRAME_MAX, len);
    result->secured = status == WM_OK;
    return status;
}

/* Checks a record without looking into its frame. */
static wm_status check_record(const batch *run, const psdu *found, frames_result *result)
{
    switch (result->reason) {
    case FRAMES_NO_REASON:
        break;
    case FRAMES_TOO_LONG:
        return WM_ERR_FRAME_TOO_LONG;
    default:
        return WM_ERR_MALFORMED;
    }
    if (found->fcs_len != 0 && run->job->any_fcs == 0 &&
        fcs_of(&run->state->fcs, found->frame, found->len) !=
            wm_load_le16(found->frame + found->len)) {
        result->reason = FRAMES_BAD_FCS;
        return WM_ERR_FCS;
    }
    return WM_OK;
}

static uint8_t *handle(const batch *run, handler *act, const uint8_t *octets,
                       const frames_record *record, uint64_t number, uint8_t *out,
                       frames_result *result)
{
    psdu found;
    uint8_t *const head = out + RECORD_HEADER;

    *result =
        (frames_result){.reason = (uint8_t)psdu_find(run->job->link_type, octets, record, &found)};
    wm_status status = check_record(run, &found, result);
    if (status == WM_OK) {
        uint8_t *const frame = head + found.head_len;
        uint8_t len = found.len;
        memcpy(head, octets, found.head_len + found.len);
        status = act(run, &found, number, frame, &len, result);
        if (status == WM_OK) {
            uint32_t total = found.head_len + len;
            if (found.fcs_len != 0) {
                wm_store_le16(frame + len, fcs_of(&run->state->fcs, frame, len));
                total += found.fcs_len;
            }
            put_record_header(out, run->job, record->time_ns, total, total);
            out = head + total;
        } else {
            run->state->has_answered = false;
            result->status = (int8_t)status;
            find_where(found.frame, found.len, run->job->edition, result);
        }
    }
    result->status = (int8_t)status;
    run->totals->by_status[-status & (int)(FRAMES_STATUSES - 1)]++;
    if (status != WM_OK && run->job->keep_refused != 0) {
        memcpy(head, octets, record->captured);
        put_record_header(out, run->job, record->time_ns, record->captured, record->original);
        out = head + record->captured;
    }
    run->totals->written += status == WM_OK || run->job->keep_refused != 0;
    return out;
}

static uint64_t all(const batch *run, handler *act, const uint8_t *file,
                    const frames_record *records, uint64_t first, uint64_t end,
                    frames_result *results, uint8_t *out)
{
    uint8_t *at = out;

    for (uint64_t i = first; i < end; i++) {
        at = handle(run, act, file + records[i].at, records + i, i, at, results + i);
    }
    return (uint64_t)(at - out);
}

uint8_t frames_begin(void *state, const frames_job *job, uint8_t *out, frames_totals *totals)
{
    *totals = (frames_totals){0};
    put_file_header(out, job);
    return state_prepare(state, job) != WM_OK;
}

uint64_t frames_unsecure(void *state, const frames_job *job, const uint8_t *file,
                         const frames_record *records, uint64_t first, uint64_t end,
                         frames_result *results, uint8_t *out, frames_totals *totals)
{
    return all(&(batch){state, job, totals}, unsecure, file, records, first, end, results, out);
}

uint64_t frames_secure(void *state, const frames_job *job, const uint8_t *file,
                       const frames_record *records, uint64_t first, uint64_t end,
                       frames_result *results, uint8_t *out, frames_totals *totals)
{
    return all(&(batch){state, job, totals}, secure, file, records, first, end, results, out);
}
