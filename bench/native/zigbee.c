/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of a ZigBee capture, opened under every key that they can be under.
 * References: 05-3474-22 4.3.1.2 (NWK, incoming), 4.4.1.2 (APS, incoming), 4.4.10 (Transport-Key). */
#include "zigbee.h"
#include <stddef.h>
#include <string.h>
#include <wardmote/ct.h>
#include <wardmote/zigbee_aps.h>
#include <wardmote/zigbee_command.h>
#include <wardmote/zigbee_nwk.h>
#include "psdu.h"
#include "zigbee_state.h"

#define LONGEST 255u /* of a NWK frame */

/* A NWK or APS frame that is tried under several keys. */
typedef struct frame {
    uint8_t octets[LONGEST], len;
} frame;

/* What a layer answered under one key. */
typedef struct answer {
    wm_status status;
    frames_zigbee_reason reason;
    uint8_t key; /* 1 + its place */
} answer;

/* An address that is not `other`: of a reader who is nobody in the network. */
static void nobody(uint8_t address[8], const uint8_t other[8])
{
    memcpy(address, other, 8);
    address[0] ^= 1u;
}

/* Opens `to`, a copy of `from`, as a node would that stands at `next` with this sender. */
typedef wm_status opener(const zigbee_state *state, const zigbee_sender *sender, uint32_t *next,
                         frame *to, void *incoming);

static wm_status open_nwk(const zigbee_state *state, const zigbee_sender *sender, uint32_t *next,
                          frame *to, void *incoming)
{
    zigbee_counter own, heard;
    wm_zigbee_sender one = {.counter = &heard.counter};
    zigbee_counter_make(&own, 0);
    zigbee_counter_make(&heard, *next);
    memcpy(one.address, sender->source, 8);
    wm_zigbee_nwk nwk = {.counter = &own.counter,
                         .senders = &one,
                         .known = 1,
                         .capacity = 1,
                         .level = state->job.level,
                         .ignore_level_bits = state->job.level_bits != 0};
    nobody(nwk.address, sender->source);
    wm_status status =
        wm_zigbee_nwk_start(&nwk, &state->keys[sender->key].data.cipher, sender->sequence);
    if (status == WM_OK) {
        status = wm_zigbee_nwk_unsecure(&nwk, to->octets, &to->len, incoming);
    }
    *next = heard.next;
    return status;
}

static wm_status open_aps(const zigbee_state *state, const zigbee_sender *sender, uint32_t *next,
                          frame *to, void *incoming)
{
    zigbee_counter own, heard;
    const zigbee_key *key = state->keys + sender->key;
    wm_zigbee_link link = {.data = &key->data.cipher,
                           .transport = &key->transport.cipher,
                           .load = &key->load.cipher,
                           .counter = &heard.counter};
    zigbee_counter_make(&own, 0);
    zigbee_counter_make(&heard, *next);
    memcpy(link.address, sender->source, 8);
    wm_zigbee_aps aps = {.counter = &own.counter,
                         .links = &link,
                         .count = 1,
                         .level = state->job.level,
                         .ignore_level_bits = state->job.level_bits != 0};
    nobody(aps.address, sender->source);
    wm_status status = wm_zigbee_aps_start(&aps);
    if (status == WM_OK) {
        status = wm_zigbee_aps_unsecure(&aps, sender->source, to->octets, &to->len, incoming);
    }
    *next = heard.next;
    return status;
}

/* One key. A counter that has been there is a replay if the MIC is right all the same. */
static answer try_key(zigbee_state *state, opener *open, const zigbee_sender *like,
                      const frame *from, frame *to, void *incoming)
{
    zigbee_sender *const sender = zigbee_sender_find(state, like);
    if (sender == NULL) {
        return (answer){WM_ERR_UNAVAILABLE_DEVICE, FRAMES_ZIGBEE_FULL, 0};
    }
    uint32_t next = sender->next;
    const uint8_t key = (uint8_t)(like->key + 1u);
    *to = *from;
    wm_status status = open(state, sender, &next, to, incoming);
    if (status >= WM_OK) {
        zigbee_sender_keep(state, sender, next);
        return (answer){status, FRAMES_ZIGBEE_NO_REASON, key};
    }
    if (status != WM_ERR_COUNTER || sender->next == 0) {
        return (answer){status, FRAMES_ZIGBEE_NO_REASON, 0};
    }
    *to = *from;
    next = 0;
    const wm_status again = open(state, sender, &next, to, incoming);
    if (again < WM_OK) {
        return (answer){again, FRAMES_ZIGBEE_NO_REASON, 0};
    }
    if (state->job.replays != 0) {
        return (answer){again, FRAMES_ZIGBEE_NO_REASON, key};
    }
    return (answer){WM_ERR_COUNTER, FRAMES_ZIGBEE_REPLAY, key};
}

/* Whether no other key can change this answer. */
static bool is_final(answer of)
{
    return of.status != WM_ERR_SECURITY && of.reason != FRAMES_ZIGBEE_FULL;
}

static frames_zigbee_reason reason_of(wm_status status, uint32_t counter)
{
    switch (status) {
    case WM_ERR_SECURITY:
        return FRAMES_ZIGBEE_WRONG_KEY;
    case WM_ERR_COUNTER:
        return counter == UINT32_MAX ? FRAMES_ZIGBEE_USED_UP : FRAMES_ZIGBEE_REPLAY;
    case WM_ERR_IMPROPER_SECURITY_LEVEL:
        return FRAMES_ZIGBEE_LEVEL_BITS;
    case WM_ERR_IMPROPER_KEY_TYPE:
        return FRAMES_ZIGBEE_WRONG_KIND;
    default:
        return FRAMES_ZIGBEE_NO_REASON;
    }
}

/* The NWK frame under every network key that has its number. */
static answer nwk_keys(zigbee_state *state, const frame *from, frame *to,
                       wm_zigbee_nwk_incoming *incoming, frames_zigbee_result *result)
{
    answer said = {WM_ERR_UNAVAILABLE_KEY, FRAMES_ZIGBEE_NO_NUMBER, 0};
    wm_zigbee_aux aux;
    const uint8_t at = incoming->header.len;
    if (wm_zigbee_aux_parse(from->octets + at, (uint8_t)(from->len - at), &aux) == 0) {
        return (answer){WM_ERR_MALFORMED, FRAMES_ZIGBEE_NO_REASON, 0};
    }
    result->nwk_counter = aux.counter;
    result->sequence = aux.sequence;
    result->has_source = aux.source_present;
    if (!aux.source_present) {
        return (answer){WM_ERR_MALFORMED, FRAMES_ZIGBEE_NO_REASON, 0};
    }
    memcpy(result->source, aux.source, sizeof aux.source);
    for (uint32_t i = 0; i < state->key_count; i++) {
        const frames_zigbee_key *key = &state->keys[i].given;
        if (key->kind != FRAMES_ZIGBEE_NETWORK ||
            (!key->any_sequence && key->sequence != aux.sequence)) {
            continue;
        }
        zigbee_sender like = {.pan = result->pan,
                              .key = (uint8_t)i,
                              .sequence = aux.sequence,
                              .layer = FRAMES_ZIGBEE_NWK};
        memcpy(like.source, aux.source, sizeof like.source);
        said = try_key(state, open_nwk, &like, from, to, incoming);
        if (is_final(said)) {
            break;
        }
    }
    if (said.status < WM_OK && said.reason == FRAMES_ZIGBEE_NO_REASON) {
        said.reason = reason_of(said.status, aux.counter);
    }
    return said;
}

/* The APS frame under every link key. `source` is who sent it, NULL: unknown. */
static answer aps_keys(zigbee_state *state, const uint8_t *source, const frame *from, frame *to,
                       wm_zigbee_aps_incoming *incoming, frames_zigbee_result *result)
{
    answer said = {WM_ERR_UNAVAILABLE_KEY, FRAMES_ZIGBEE_NO_KEY, 0};
    wm_zigbee_aux aux;
    const uint8_t at = incoming->header.len;
    if (wm_zigbee_aux_parse(from->octets + at, (uint8_t)(from->len - at), &aux) == 0) {
        return (answer){WM_ERR_MALFORMED, FRAMES_ZIGBEE_NO_REASON, 0};
    }
    result->aps_counter = aux.counter;
    result->key_id = aux.key_id;
    source = aux.source_present ? aux.source : source;
    if (source == NULL) {
        return (answer){WM_ERR_UNAVAILABLE_DEVICE, FRAMES_ZIGBEE_NO_SOURCE, 0};
    }
    memcpy(result->aps_source, source, sizeof result->aps_source);
    for (uint32_t i = 0; i < state->key_count; i++) {
        if (state->keys[i].given.kind != FRAMES_ZIGBEE_LINK) {
            continue;
        }
        zigbee_sender like = {
            .pan = result->pan, .to = result->dst, .key = (uint8_t)i, .layer = FRAMES_ZIGBEE_APS};
        memcpy(like.source, source, sizeof like.source);
        said = try_key(state, open_aps, &like, from, to, incoming);
        if (is_final(said)) {
            break;
        }
    }
    if (said.status < WM_OK && said.reason == FRAMES_ZIGBEE_NO_REASON) {
        said.reason = reason_of(said.status, aux.counter);
    }
    return said;
}

/* Remembers a key that a command carried. */
static uint8_t learn_key(zigbee_state *state, const wm_zigbee_command *command, uint8_t carrier,
                         uint64_t number)
{
    frames_zigbee_key key = {.found_in = number, .carrier = carrier};
    key.kind =
        command->key_type == WM_ZIGBEE_TYPE_NETWORK ? FRAMES_ZIGBEE_NETWORK : FRAMES_ZIGBEE_LINK;
    key.sequence = command->sequence;
    memcpy(key.octets, command->key, sizeof key.octets);
    const uint32_t before = state->key_count;
    const uint8_t place = frames_zigbee_add(state, &key);
    wm_wipe(&key, sizeof key);
    return state->key_count != before ? place : 0;
}

/* A command in clear; that of a Tunnel is given to `inner`. */
static uint8_t take_command(zigbee_state *state, const frame *in, uint8_t at, uint8_t carrier,
                            uint64_t number, frame *inner, frames_zigbee_result *result)
{
    wm_zigbee_command command;
    uint8_t id = 0;
    inner->len = 0;
    if (wm_zigbee_command_parse(in->octets + at, (uint8_t)(in->len - at), &command) == WM_OK) {
        id = command.id;
        if (id == WM_ZIGBEE_TRANSPORT_KEY && carrier != 0) {
            result->found = learn_key(state, &command, carrier, number);
        }
        if (id == WM_ZIGBEE_TUNNEL) {
            memcpy(inner->octets, command.frame, command.frame_len);
            inner->len = command.frame_len;
        }
    } else if (at < in->len) {
        id = in->octets[at];
    }
    wm_wipe(&command, sizeof command);
    return id;
}

/* What a Tunnel carries: an APS frame for a node that joins. */
static void open_inner(zigbee_state *state, const frame *inner, uint64_t number,
                       frames_zigbee_result *result)
{
    wm_zigbee_aps_incoming incoming;
    frames_zigbee_result aside = *result;
    frame opened, none;
    if (inner->len == 0 ||
        wm_zigbee_aps_parse(inner->octets, inner->len, &incoming.header) != WM_OK ||
        !incoming.header.secured) {
        return;
    }
    const answer said = aps_keys(state, NULL, inner, &opened, &incoming, &aside);
    if (said.status >= WM_OK && incoming.header.type == WM_ZIGBEE_APS_COMMAND) {
        result->inner =
            take_command(state, &opened, incoming.header.len, said.key, number, &none, result);
        result->aps_key = result->aps_key == 0 ? said.key : result->aps_key;
    }
    wm_wipe(&opened, sizeof opened);
}

/* The APS frame in a NWK data frame. `in` becomes what it is in clear. */
static void read_aps(zigbee_state *state, const uint8_t *source, frame *in, uint64_t number,
                     frames_zigbee_result *result)
{
    wm_zigbee_aps_incoming incoming;
    frame opened, inner;
    answer said = {wm_zigbee_aps_parse(in->octets, in->len, &incoming.header),
                   FRAMES_ZIGBEE_NO_REASON, 0};
    result->layer = FRAMES_ZIGBEE_APS;
    if (said.status == WM_OK) {
        result->aps_type = incoming.header.type;
        result->aps_secured = incoming.header.secured;
        if (incoming.header.secured) {
            said = aps_keys(state, source, in, &opened, &incoming, result);
        } else {
            wm_zigbee_aps clear = {.accept_clear = true};
            opened = *in;
            said.status =
                wm_zigbee_aps_unsecure(&clear, NULL, opened.octets, &opened.len, &incoming);
            said.reason = said.status < WM_OK ? FRAMES_ZIGBEE_IN_CLEAR : FRAMES_ZIGBEE_NO_REASON;
        }
    }
    if (said.status != WM_NOT_SECURED) { /* then NWK's status holds */
        result->status = (int8_t)said.status;
    }
    result->reason = (uint8_t)said.reason;
    result->aps_key = said.key;
    if (said.status < WM_OK) {
        return;
    }
    *in = opened;
    if (incoming.header.type == WM_ZIGBEE_APS_COMMAND) {
        result->command =
            take_command(state, in, incoming.header.len, said.key, number, &inner, result);
        open_inner(state, &inner, number, result);
    }
}

/* The NWK frame of a MAC frame. `in` becomes what it is in clear, as far as it can be opened. */
static void read_nwk(zigbee_state *state, const wm_mhr *mhr, frame *in, uint64_t number,
                     frames_zigbee_result *result)
{
    wm_zigbee_nwk_incoming incoming;
    frame opened, aps;
    answer said = {wm_zigbee_nwk_parse(in->octets, in->len, &incoming.header),
                   FRAMES_ZIGBEE_NO_REASON, 0};
    if (said.status != WM_OK) {
        result->status = WM_ERR_NOT_FOR_US;
        result->reason = FRAMES_ZIGBEE_NOT_ZIGBEE;
        return;
    }
    const wm_zigbee_nwk_header header = incoming.header;
    result->layer = FRAMES_ZIGBEE_NWK;
    result->nwk_type = header.type;
    result->src = header.src;
    result->dst = header.dst;
    result->nwk_secured = header.secured;
    said = (answer){WM_NOT_SECURED, FRAMES_ZIGBEE_NO_REASON, 0};
    if (header.secured) {
        said = nwk_keys(state, in, &opened, &incoming, result);
    }
    result->status = (int8_t)said.status;
    result->reason = (uint8_t)said.reason;
    result->nwk_key = said.key;
    if (said.status < WM_OK) {
        return;
    }
    if (header.src_ext_present) {
        zigbee_node_learn(state, result->pan, header.src, header.src_ext, said.status == WM_OK);
    }
    if (header.secured) {
        *in = opened;
        if (mhr->src.mode == WM_ADDR_SHORT) {
            zigbee_node_learn(state, result->pan,
                              (uint16_t)(mhr->src.octet[0] << 8 | mhr->src.octet[1]),
                              result->source, said.status == WM_OK);
        }
    }
    if (header.type == WM_ZIGBEE_NWK_DATA) {
        aps.len = (uint8_t)(in->len - header.len);
        memcpy(aps.octets, in->octets + header.len, aps.len);
        read_aps(state, zigbee_node_find(state, result->pan, header.src), &aps, number, result);
        memcpy(in->octets + header.len, aps.octets, aps.len);
        in->len = (uint8_t)(header.len + aps.len);
    }
}

/* Whether there is a MAC frame whose payload may be a NWK frame. */
static bool read_mac(const zigbee_state *state, const psdu *found, wm_mhr *mhr, wm_frame_map *map,
                     frames_zigbee_result *result)
{
    if (result->record != FRAMES_NO_REASON) {
        result->reason = FRAMES_ZIGBEE_RECORD;
        result->status = WM_ERR_MALFORMED;
        return false;
    }
    if (state->job.frames.any_fcs == 0 &&
        !fcs_right(&state->fcs, found->fcs, found->frame, found->len)) {
        result->reason = FRAMES_ZIGBEE_BAD_FCS;
        result->status = WM_ERR_FCS;
        return false;
    }
    const wm_status status = wm_frame_parse(found->frame, found->len, mhr, map);
    if (status == WM_ERR_NOT_FOR_US || (status == WM_OK && mhr->type != WM_FRAME_DATA)) {
        result->reason = FRAMES_ZIGBEE_OTHER;
        result->status = WM_NOT_SECURED;
        return false;
    }
    if (status != WM_OK) {
        result->status = (int8_t)status;
        return false;
    }
    if (mhr->security_enabled) {
        result->reason = FRAMES_ZIGBEE_MAC_SECURED;
        result->status = WM_ERR_NOT_FOR_US;
        return false;
    }
    return true;
}

void frames_zigbee_open(void *memory, const uint8_t *file, const frames_record *record,
                        uint64_t number, frames_zigbee_result *result, uint8_t *out)
{
    zigbee_state *const state = memory;
    psdu found;
    wm_mhr mhr;
    wm_frame_map map;
    frame nwk;

    *result = (frames_zigbee_result){0};
    result->record = (uint8_t)psdu_find(&state->job.frames, file + record->at, record, &found);
    const bool readable = read_mac(state, &found, &mhr, &map, result);
    if (result->record != FRAMES_NO_REASON || found.len > FRAMES_ZIGBEE_ROOM) {
        return;
    }
    memcpy(out, found.frame, found.len);
    result->len = found.len;
    if (!readable) {
        return;
    }
    const uint16_t at = (uint16_t)map.private_payload, left = (uint16_t)(found.len - at);
    if (left > LONGEST) {
        result->status = WM_ERR_NOT_FOR_US;
        result->reason = FRAMES_ZIGBEE_NOT_ZIGBEE;
        return;
    }
    result->pan = mhr.dst_pan_present ? mhr.dst_pan : mhr.src_pan;
    nwk.len = (uint8_t)left;
    memcpy(nwk.octets, found.frame + at, left);
    read_nwk(state, &mhr, &nwk, number, result);
    memcpy(out + at, nwk.octets, nwk.len);
    result->len = (uint16_t)(at + nwk.len);
    wm_wipe(&nwk, sizeof nwk);
}
