/* SPDX-License-Identifier: BSD-3-Clause */
/* APS security: outgoing and incoming frames.
 * References: 05-3474-22 4.4.1.1 (outgoing, and which key secures which command), 4.4.1.2
 * (incoming).
 * Departs: level bits that are set on the air are refused unless policy says otherwise; Remove-Device
 * in clear is refused always.
 * Invariants: the store knows that a counter is used before a frame has it, and that it has come
 * before the frame is released. A counter moves only after the MIC was right and the key was of the
 * kind that secures such a frame. */
#include "zigbee_aps_parts.h"
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/zigbee_command.h>
#include "../mode/bound.h"
#include "../util/octets8.h"
#include "zigbee_frame.h"

static uint8_t level_of(const wm_zigbee_aps *aps)
{
    return aps->level == 0 ? WM_ZIGBEE_LEVEL_USUAL : aps->level;
}

/* Whether there is a counter of the node's own, and none of a link's is zeros. */
static bool counters_made(const wm_zigbee_aps *aps)
{
    for (uint8_t i = 0; i < aps->count; i++) {
        if (aps->links[i].counter != NULL && !wm_counter_made(aps->links[i].counter)) {
            return false;
        }
    }
    return wm_counter_made(aps->counter);
}

wm_status wm_zigbee_aps_start(wm_zigbee_aps *aps)
{
    aps->started = false;
    if (aps->level > ZIGBEE_LEVEL_MOST) {
        return WM_ERR_PARAM;
    }
    if (!counters_made(aps)) {
        return WM_ERR_NO_STORE;
    }
    aps->next = aps->counter->ops->limit(aps->counter);
    for (uint8_t i = 0; i < aps->count; i++) {
        wm_zigbee_link *link = aps->links + i;
        link->next = link->counter != NULL ? link->counter->ops->limit(link->counter) : 0;
    }
    aps->started = true;
    return WM_OK;
}

/* 4.4.1.1: the kind of key that secures a frame of this type with this payload. False: it is a command
 * that is not all there. */
static bool kind_of_key(uint8_t type, const uint8_t *payload, uint8_t len, uint8_t *key_id)
{
    *key_id = WM_ZIGBEE_KEY_DATA;
    if (type != WM_ZIGBEE_APS_COMMAND) {
        return true;
    }
    if (len == 0) {
        return false;
    }
    if (payload[0] == WM_ZIGBEE_TRANSPORT_KEY) {
        if (len < 2) {
            return false;
        }
        *key_id =
            payload[1] == WM_ZIGBEE_TYPE_NETWORK ? WM_ZIGBEE_KEY_TRANSPORT : WM_ZIGBEE_KEY_LOAD;
    }
    return true;
}

/* A cipher that can secure; WM_OK, or why not. */
static wm_status check_key(const wm_cipher *cipher)
{
    if (cipher == NULL) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    return wm_cipher_ready(cipher) && cipher->ops->block_octets == 16 ? WM_OK : WM_ERR_STATE;
}

/* Finds key and length of an outgoing frame. */
static wm_status plan(const wm_zigbee_aps *aps, const uint8_t to[8], bool say_source,
                      const uint8_t *frame, uint8_t size, uint8_t len, wm_zigbee_layout *layout,
                      wm_zigbee_aux *aux)
{
    wm_zigbee_aps_header header;
    const wm_status status = wm_zigbee_aps_parse(frame, len, &header);
    if (status != WM_OK) {
        return status;
    }
    if (header.secured || header.delivery != WM_ZIGBEE_APS_UNICAST) {
        return WM_ERR_PARAM;
    }
    if (!kind_of_key(header.type, frame + header.len, (uint8_t)(len - header.len), &aux->key_id)) {
        return WM_ERR_MALFORMED;
    }
    const uint8_t aux_len = say_source ? ZIGBEE_AUX_LEAST + 8u : ZIGBEE_AUX_LEAST;
    layout->level = level_of(aps);
    layout->mic_len = wm_zigbee_mic_len(layout->level);
    if ((unsigned)len + aux_len + layout->mic_len > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (!aps->started) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    const uint8_t place = wm_zigbee_find_link(aps, to);
    if (place == aps->count) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    layout->cipher = wm_zigbee_link_key(aps->links + place, aux->key_id);
    layout->source = aps->address;
    layout->aux_at = header.len;
    layout->payload_at = (uint8_t)(header.len + aux_len);
    layout->end = (uint8_t)(len + aux_len);
    aux->source_present = say_source;
    wm_copy8(aux->source, aps->address);
    return check_key(layout->cipher);
}

wm_status wm_zigbee_aps_secure(wm_zigbee_aps *aps, const uint8_t to[8], bool say_source,
                               uint8_t *frame, uint8_t size, uint8_t *len)
{
    wm_zigbee_layout layout;
    wm_zigbee_aux aux;
    wm_status status = plan(aps, to, say_source, frame, size, *len, &layout, &aux);
    if (status != WM_OK) {
        return status;
    }
    layout.counter = aux.counter = aps->next;
    status = wm_zigbee_use_counter(aps->counter, &aps->next);
    if (status != WM_OK) {
        return status;
    }
    wm_zigbee_insert(frame, *len, layout.aux_at, (uint8_t)(layout.payload_at - layout.aux_at));
    frame[0] |= ZIGBEE_APS_SECURED;
    (void)wm_zigbee_aux_build(frame + layout.aux_at, &aux);
    status = wm_zigbee_seal(&layout, frame);
    if (status < WM_OK) {
        wm_wipe(frame, (size_t)(layout.end + layout.mic_len));
        return status;
    }
    *len = (uint8_t)(layout.end + layout.mic_len);
    return status;
}

/* Commands that mean something without APS security: those that NWK security is enough for. */
static bool may_be_clear(const wm_zigbee_aps_header *header, const uint8_t *frame, uint8_t len)
{
    if (header->type != WM_ZIGBEE_APS_COMMAND || len == header->len) {
        return true;
    }
    switch (frame[header->len]) {
    case WM_ZIGBEE_TRANSPORT_KEY:
    case WM_ZIGBEE_REMOVE_DEVICE:
    case WM_ZIGBEE_REQUEST_KEY:
    case WM_ZIGBEE_CONFIRM_KEY:
        return false;
    default:
        return true;
    }
}

/* Reads the auxiliary header: whose frame it is, and under what kind of key. */
static wm_status read_aux(const wm_zigbee_aps *aps, const uint8_t *from, const uint8_t *frame,
                          uint8_t len, wm_zigbee_aps_incoming *incoming, wm_zigbee_layout *layout)
{
    const uint8_t aux_at = incoming->header.len;
    wm_zigbee_aux *aux = &incoming->aux;
    const uint8_t aux_len = wm_zigbee_aux_parse(frame + aux_at, (uint8_t)(len - aux_at), aux);
    layout->level = level_of(aps);
    layout->mic_len = wm_zigbee_mic_len(layout->level);
    if (aux_len == 0 || len - aux_at - aux_len < layout->mic_len) {
        return WM_ERR_MALFORMED;
    }
    layout->aux_at = aux_at;
    layout->payload_at = (uint8_t)(aux_at + aux_len);
    layout->end = (uint8_t)(len - layout->mic_len);
    layout->counter = aux->counter;
    layout->source = aux->source;
    if (aux->level_bits != 0 && !aps->ignore_level_bits) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (aux->key_id == WM_ZIGBEE_KEY_NETWORK ||
        (aux->key_id != WM_ZIGBEE_KEY_DATA && incoming->header.type != WM_ZIGBEE_APS_COMMAND)) {
        return WM_ERR_IMPROPER_KEY_TYPE;
    }
    if (!aux->source_present) {
        if (from == NULL) {
            return WM_ERR_UNAVAILABLE_DEVICE;
        }
        wm_copy8(aux->source, from);
    }
    return WM_OK;
}

/* All that can be refused by the headers of a secured frame. */
static wm_status judge(const wm_zigbee_aps *aps, const uint8_t *from, const uint8_t *frame,
                       uint8_t len, wm_zigbee_aps_incoming *incoming, wm_zigbee_layout *layout)
{
    wm_status status = read_aux(aps, from, frame, len, incoming, layout);
    if (status != WM_OK) {
        return status;
    }
    incoming->link = wm_zigbee_find_link(aps, incoming->aux.source);
    if (!aps->started || incoming->link == aps->count) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    const wm_zigbee_link *link = aps->links + incoming->link;
    status = wm_same8(incoming->aux.source, aps->address)
                 ? WM_ERR_COUNTER
                 : wm_zigbee_link_admit(link, incoming->aux.counter);
    if (status != WM_OK) {
        return status;
    }
    layout->cipher = wm_zigbee_link_key(link, incoming->aux.key_id);
    return check_key(layout->cipher);
}

/* Opens a frame that was judged, and takes auxiliary header and MIC out. */
static wm_status open(wm_zigbee_aps *aps, uint8_t *frame, uint8_t *len,
                      const wm_zigbee_aps_incoming *incoming, const wm_zigbee_layout *layout)
{
    uint8_t right;
    const uint8_t m = layout->payload_at, gap = (uint8_t)(m - layout->aux_at);
    wm_status status = wm_zigbee_open(layout, frame);
    if (status < WM_OK) {
        return status;
    }
    if (!kind_of_key(incoming->header.type, frame + m, (uint8_t)(layout->end - m), &right) ||
        right != incoming->aux.key_id) {
        status = WM_ERR_IMPROPER_KEY_TYPE;
    } else if (status == WM_OK) {
        status = wm_zigbee_link_hear(aps->links + incoming->link, incoming->aux.source,
                                     incoming->aux.counter);
    }
    if (status < WM_OK) {
        wm_wipe(frame + layout->aux_at, (size_t)(*len - layout->aux_at));
        return status;
    }
    wm_zigbee_remove(frame, layout->end, layout->aux_at, gap);
    frame[0] &= (uint8_t)~ZIGBEE_APS_SECURED;
    *len = (uint8_t)(layout->end - gap);
    return status;
}

wm_status wm_zigbee_aps_unsecure(wm_zigbee_aps *aps, const uint8_t *from, uint8_t *frame,
                                 uint8_t *len, wm_zigbee_aps_incoming *incoming)
{
    wm_zigbee_layout layout;
    wm_status status = wm_zigbee_aps_parse(frame, *len, &incoming->header);
    if (status != WM_OK) {
        return status;
    }
    if (!incoming->header.secured) {
        return aps->accept_clear && may_be_clear(&incoming->header, frame, *len)
                   ? WM_NOT_SECURED
                   : WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    status = judge(aps, from, frame, *len, incoming, &layout);
    return status == WM_OK ? open(aps, frame, len, incoming, &layout) : status;
}
