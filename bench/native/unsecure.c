/* SPDX-License-Identifier: BSD-3-Clause */
/* One frame through the incoming frame security procedure, under each key that it can mean.
 * References: IEEE 802.15.4-2015 9.2.4, which the stack follows; 6.7.2 (the sender of an Enh-Ack
 * without source address). */
#include <string.h>
#include <wardmote/octets.h>
#include "act.h"

#define FCF0_SECURITY 0x08u
#define ASH_ASN_FORM 0x60u /* counter suppressed, ASN in nonce */
#define COUNTER_USED_UP 0xFFFFFFFFu

/* Adds a sender that the tables do not have, if the job allows it and the nonce has the counter
 * form: with the ASN the standard keeps no state for a sender. */
static bool learn_sender(frames_state *state, const uint8_t *frame, wm_psdu_len len)
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

/* Undoes what the procedure stored for this counter. */
static void forget_counter(const frames_state *state, const wm_incoming *incoming)
{
    const wm_security_pib *pib = &state->pib;

    if (incoming->key >= pib->key_count || incoming->device >= pib->device_count) {
        return;
    }
    /* The counter is that of the first descriptor with this address. */
    const uint16_t first = state_find_ext(state, pib->devices[incoming->device].ext_addr);
    wm_key_device *const devices = pib->keys[incoming->key].devices;
    devices[first].counter.next = 0;
    devices[incoming->device].counter.next = 0;
    devices[incoming->device].blacklisted = false;
    pib->device_counters[first].next = 0;
}

static bool is_secured(const uint8_t *frame, wm_psdu_len len, uint8_t *control)
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
static bool answers(const frames_state *state, const uint8_t *frame, wm_psdu_len len)
{
    return len >= 2 && state->has_answered && (frame[0] & 7u) == WM_FRAME_ACK &&
           (frame[1] >> 4 & 3u) == WM_VERSION_2015 && frame[1] >> 6 == WM_ADDR_NONE;
}

/* The procedure on a fresh copy of the frame, with the keys of the current round. */
static wm_status take(frames_state *state, const psdu *found, uint8_t *frame, wm_psdu_len *len,
                      wm_incoming *incoming)
{
    wm_status status = WM_ERR_NOT_FOR_US;

    memcpy(frame, found->frame, found->len);
    *len = found->len;
    memset(state->pib.ext_addr, 0xFF, 8); /* a reader is none of the senders */
    if (answers(state, frame, *len)) {
        status = wm_incoming_ack(&state->pib, &state->answered, frame, len, incoming);
    }
    if (status == WM_ERR_NOT_FOR_US) {
        status = wm_incoming_unsecure(&state->pib, frame, len, incoming);
    }
    return status;
}

/* Whether the counter is the only fault of a frame that COUNTER refuses. */
static bool is_replay(frames_state *state, const psdu *found, uint8_t *frame)
{
    wm_incoming incoming;
    wm_psdu_len len;

    state_set_lenient(state, true);
    const bool right = take(state, found, frame, &len, &incoming) >= 0;
    if (right) {
        forget_counter(state, &incoming);
    }
    state_set_lenient(state, false);
    return right;
}

/* Why the procedure refused a secured frame, where the status does not say it. */
static frames_reason reason_of(wm_status status, const uint8_t *frame, wm_psdu_len len)
{
    wm_mhr mhr;
    wm_frame_map map;

    if (status == WM_ERR_UNAVAILABLE_KEY) {
        return FRAMES_NO_KEY;
    }
    /* Of an ASN the procedure asks only whether it is all ones. */
    if (status == WM_ERR_COUNTER && wm_frame_parse(frame, len, &mhr, &map) == WM_OK &&
        (mhr.ash.frame_counter == COUNTER_USED_UP || mhr.ash.counter_suppressed)) {
        return FRAMES_USED_UP;
    }
    return status == WM_ERR_SECURITY || status == WM_ERR_COUNTER ? FRAMES_WRONG_KEY
                                                                 : FRAMES_NO_REASON;
}

/* Says what the frame calls the key that is missing. */
static void name_wanted(const psdu *found, frames_result *result)
{
    wm_mhr mhr;
    wm_frame_map map;

    if (wm_frame_parse(found->frame, found->len, &mhr, &map) == WM_OK) {
        result->wanted_mode = mhr.ash.key_id_mode;
        result->wanted_index = mhr.ash.key_index;
    }
}

/* Tries the keys that the frame can mean in their order. Refused by all of them, it is a replay if
 * it is right under one; otherwise the first key's status holds, as on a mote that has it alone. */
static wm_status try_keys(frames_state *state, const psdu *found, uint8_t *frame, wm_psdu_len *len,
                          wm_incoming *incoming, frames_result *result)
{
    wm_status first = WM_ERR_UNAVAILABLE_KEY;

    for (uint8_t round = 0; round < state->rounds; round++) {
        state_use_round(state, round);
        const wm_status status = take(state, found, frame, len, incoming);
        if (status >= 0) {
            return status;
        }
        if (status == WM_ERR_COUNTER && is_replay(state, found, frame)) {
            result->reason = FRAMES_REPLAY;
            return WM_ERR_COUNTER;
        }
        first = round == 0 ? status : first;
        if (status != WM_ERR_SECURITY && status != WM_ERR_COUNTER &&
            status != WM_ERR_IMPROPER_KEY_TYPE) {
            break; /* no fault of the key, or no further key has this name */
        }
    }
    if (result->secured != 0) {
        result->reason = (uint8_t)reason_of(first, found->frame, found->len);
        if (result->reason == FRAMES_NO_KEY) {
            name_wanted(found, result);
        }
    }
    return first;
}

/* Counts a secured frame that was admitted, unless it is a replay by its ASN. */
static wm_status admit(const batch *run, wm_status admitted, const wm_incoming *incoming,
                       frames_result *result)
{
    frames_state *state = run->state;
    const uint8_t *const slot = state->pib.asn;
    const uint64_t asn = (uint64_t)slot[0] << 32 | wm_load_be32(slot + 1);

    if (incoming->key >= state->pib.key_count) {
        return admitted;
    }
    const uint16_t key = (uint16_t)(state->round_at[state->round] + incoming->key);
    if (run->job->replays != 0) {
        forget_counter(state, incoming);
    } else if (state->pib.nonce_form == WM_NONCE_ASN) {
        bool watched;
        if (state_is_replay(state, &incoming->mhr, key, asn, &watched)) {
            result->reason = FRAMES_REPLAY_ASN;
            return WM_ERR_COUNTER;
        }
        run->totals->unwatched += !watched;
    }
    run->totals->by_key[state->place[key]]++;
    result->key = (uint8_t)(state->place[key] + 1u);
    return admitted;
}

wm_status act_unsecure(const batch *run, const psdu *found, uint64_t number, uint8_t *frame,
                       wm_psdu_len *len, frames_result *result)
{
    frames_state *state = run->state;
    wm_incoming incoming;
    bool learned = false;
    uint8_t control = 0;

    result->secured = is_secured(found->frame, *len, &control);
    if (result->secured) {
        const bool asn_form = (control & ASH_ASN_FORM) != 0;
        result->reason = (uint8_t)state_set_nonce(state, run->job, asn_form, found, number);
        if (result->reason != FRAMES_NO_REASON) {
            return WM_ERR_PARAM;
        }
        learned = run->job->strangers != 0 && !asn_form && learn_sender(state, found->frame, *len);
    }
    wm_status status = try_keys(state, found, frame, len, &incoming, result);
    if (status >= 0 && result->secured) {
        status = admit(run, status, &incoming, result);
    }
    state->has_answered =
        status >= 0 && incoming.mhr.ack_request && incoming.mhr.type != WM_FRAME_ACK;
    if (status < 0) {
        if (learned) {
            state_forget_last(state);
        }
        return status;
    }
    state->answered = incoming.mhr;
    if (!result->secured) {
        run->totals->in_clear++;
        return status;
    }
    const wm_status removed = wm_ash_remove(frame, len);
    return removed == WM_OK ? status : removed;
}
