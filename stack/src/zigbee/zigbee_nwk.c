/* SPDX-License-Identifier: BSD-3-Clause */
/* NWK security: outgoing and incoming frames.
 * References: 05-3474-22 4.3.1.1 (outgoing), 4.3.1.2 (incoming).
 * Departs: level bits that are set on the air are refused unless policy says otherwise, where the
 * standard overwrites them; the standard makes a newer key the active one when a frame comes under
 * it, here the caller does, who has to store the key's number first. A sender does not go back to an
 * older key.
 * Invariants: the store knows that a counter is used before a frame has it, and that it has come
 * before the frame is released. A counter moves only after the MIC was right. */
#include "zigbee_nwk_parts.h"
#include <stddef.h>
#include <wardmote/ct.h>
#include "../mode/bound.h"
#include "../util/octets8.h"
#include "zigbee_frame.h"

/* Whether there is a counter of the node's own, and none of a neighbour's is zeros. */
static bool counters_made(const wm_zigbee_nwk *nwk)
{
    for (uint8_t i = 0; i < nwk->known; i++) {
        if (nwk->senders[i].counter != NULL && !wm_counter_made(nwk->senders[i].counter)) {
            return false;
        }
    }
    return wm_counter_made(nwk->counter);
}

/* Begins with the counters as their stores have them. */
static void restore(wm_zigbee_nwk *nwk, uint8_t sequence)
{
    nwk->next = nwk->counter->ops->limit(nwk->counter);
    for (uint8_t i = 0; i < nwk->known; i++) {
        wm_zigbee_sender *sender = nwk->senders + i;
        sender->sequence = sequence;
        sender->next = sender->counter != NULL ? sender->counter->ops->limit(sender->counter) : 0;
    }
}

wm_status wm_zigbee_nwk_start(wm_zigbee_nwk *nwk, const wm_cipher *key, uint8_t sequence)
{
    for (uint8_t i = 0; i < WM_ZIGBEE_NWK_KEYS; i++) {
        nwk->keys[i].cipher = NULL;
    }
    if (!wm_cipher_ready(key)) {
        return WM_ERR_STATE;
    }
    if (key->ops->block_octets != 16 || nwk->level > ZIGBEE_LEVEL_MOST ||
        nwk->known > nwk->capacity) {
        return WM_ERR_PARAM;
    }
    if (!counters_made(nwk)) {
        return WM_ERR_NO_STORE;
    }
    restore(nwk, sequence);
    nwk->active = 0;
    nwk->keys[0] = (wm_zigbee_network_key){key, sequence};
    return WM_OK;
}

wm_status wm_zigbee_nwk_secure(wm_zigbee_nwk *nwk, uint8_t *frame, uint8_t size, uint8_t *len)
{
    wm_zigbee_nwk_header header;
    const wm_zigbee_network_key *key = nwk->keys + nwk->active;
    const uint8_t level = wm_zigbee_nwk_level(nwk), mic_len = wm_zigbee_mic_len(level);
    wm_status status = wm_zigbee_nwk_parse(frame, *len, &header);
    if (status != WM_OK) {
        return status;
    }
    if (header.secured) {
        return WM_ERR_PARAM;
    }
    if ((unsigned)*len + ZIGBEE_NWK_AUX + mic_len > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (key->cipher == NULL) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    if (!wm_cipher_ready(key->cipher)) {
        return WM_ERR_STATE;
    }
    wm_zigbee_aux aux = {.key_id = WM_ZIGBEE_KEY_NETWORK,
                         .source_present = true,
                         .counter = nwk->next,
                         .sequence = key->sequence};
    status = wm_zigbee_use_counter(nwk->counter, &nwk->next);
    if (status != WM_OK) {
        return status;
    }
    wm_copy8(aux.source, nwk->address);
    wm_zigbee_insert(frame, *len, header.len, ZIGBEE_NWK_AUX);
    frame[1] |= ZIGBEE_NWK_SECURED;
    const wm_zigbee_layout layout = {
        .cipher = key->cipher,
        .source = nwk->address,
        .counter = aux.counter,
        .level = level,
        .mic_len = mic_len,
        .aux_at = header.len,
        .payload_at = (uint8_t)(header.len + wm_zigbee_aux_build(frame + header.len, &aux)),
        .end = (uint8_t)(*len + ZIGBEE_NWK_AUX)};
    status = wm_zigbee_seal(&layout, frame);
    if (status < WM_OK) {
        wm_wipe(frame, (size_t)(layout.end + mic_len));
        return status;
    }
    *len = (uint8_t)(layout.end + mic_len);
    return status;
}

/* The key that has this number; NULL: none. */
static const wm_cipher *find_key(const wm_zigbee_nwk *nwk, uint8_t sequence)
{
    for (uint8_t i = 0; i < WM_ZIGBEE_NWK_KEYS; i++) {
        if (nwk->keys[i].cipher != NULL && nwk->keys[i].sequence == sequence) {
            return nwk->keys[i].cipher;
        }
    }
    return NULL;
}

/* All that can be refused by the headers of a secured frame. */
static wm_status judge(const wm_zigbee_nwk *nwk, const uint8_t *frame, uint8_t len,
                       wm_zigbee_nwk_incoming *incoming, wm_zigbee_layout *layout, uint8_t *place)
{
    const uint8_t level = wm_zigbee_nwk_level(nwk), mic_len = wm_zigbee_mic_len(level);
    const uint8_t aux_at = incoming->header.len;
    wm_zigbee_aux *aux = &incoming->aux;
    const uint8_t aux_len = wm_zigbee_aux_parse(frame + aux_at, (uint8_t)(len - aux_at), aux);
    if (aux_len == 0 || !aux->source_present || len - aux_at - aux_len < mic_len) {
        return WM_ERR_MALFORMED;
    }
    if (aux->level_bits != 0 && !nwk->ignore_level_bits) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (aux->key_id != WM_ZIGBEE_KEY_NETWORK) {
        return WM_ERR_IMPROPER_KEY_TYPE;
    }
    *layout = (wm_zigbee_layout){.cipher = find_key(nwk, aux->sequence),
                                 .source = aux->source,
                                 .counter = aux->counter,
                                 .level = level,
                                 .mic_len = mic_len,
                                 .aux_at = aux_at,
                                 .payload_at = (uint8_t)(aux_at + aux_len),
                                 .end = (uint8_t)(len - mic_len)};
    if (layout->cipher == NULL) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    const wm_status status = wm_zigbee_find_sender(nwk, aux, place);
    return status == WM_OK && !wm_cipher_ready(layout->cipher) ? WM_ERR_STATE : status;
}

/* Opens a frame that was judged, and takes auxiliary header and MIC out. */
static wm_status open(wm_zigbee_nwk *nwk, uint8_t *frame, uint8_t *len,
                      const wm_zigbee_layout *layout, const wm_zigbee_aux *aux, uint8_t place)
{
    wm_status status = wm_zigbee_open(layout, frame);
    if (status == WM_OK) {
        status = wm_zigbee_hear(nwk, aux, place);
        if (status != WM_OK) {
            wm_wipe(frame + layout->aux_at, (size_t)(*len - layout->aux_at));
        }
    }
    if (status >= WM_OK) {
        wm_zigbee_remove(frame, layout->end, layout->aux_at, ZIGBEE_NWK_AUX);
        frame[1] &= (uint8_t)~ZIGBEE_NWK_SECURED;
        *len = (uint8_t)(layout->end - ZIGBEE_NWK_AUX);
    }
    return status;
}

wm_status wm_zigbee_nwk_unsecure(wm_zigbee_nwk *nwk, uint8_t *frame, uint8_t *len,
                                 wm_zigbee_nwk_incoming *incoming)
{
    wm_zigbee_layout layout;
    uint8_t place;
    wm_status status = wm_zigbee_nwk_parse(frame, *len, &incoming->header);
    if (status != WM_OK) {
        return status;
    }
    incoming->newer = false;
    if (!incoming->header.secured) {
        return nwk->accept_clear ? WM_NOT_SECURED : WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    status = judge(nwk, frame, *len, incoming, &layout, &place);
    if (status == WM_OK) {
        status = open(nwk, frame, len, &layout, &incoming->aux, place);
    }
    incoming->newer =
        status == WM_OK && wm_zigbee_newer(incoming->aux.sequence, nwk->keys[nwk->active].sequence);
    return status;
}
