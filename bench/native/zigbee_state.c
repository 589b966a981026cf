/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys, addresses and counters of somebody who reads along. */
#include "zigbee_state.h"
#include <stddef.h>
#include <string.h>
#include <wardmote/ct.h>
#include <wardmote/zigbee_keys.h>

static uint32_t limit(const wm_counter *counter)
{
    return ((const zigbee_counter *)counter)->next;
}

static bool continues(const wm_counter *counter, uint32_t next)
{
    return next >= ((const zigbee_counter *)counter)->next;
}

static wm_status advance(wm_counter *counter, uint32_t next)
{
    ((zigbee_counter *)counter)->next = next;
    return WM_OK;
}

static wm_status clear(wm_counter *counter)
{
    ((zigbee_counter *)counter)->next = 0;
    return WM_OK;
}

void zigbee_counter_make(zigbee_counter *made, uint32_t next)
{
    static const wm_counter_ops ops = {limit, continues, advance, clear};
    *made = (zigbee_counter){{&ops}, next};
}

zigbee_sender *zigbee_sender_find(zigbee_state *state, const zigbee_sender *like)
{
    for (uint32_t i = 0; i < state->sender_count; i++) {
        zigbee_sender *const one = state->senders + i;
        if (one->key == like->key && one->sequence == like->sequence && one->pan == like->pan &&
            one->to == like->to && one->layer == like->layer &&
            memcmp(one->source, like->source, sizeof one->source) == 0) {
            return one;
        }
    }
    if (state->sender_count == FRAMES_ZIGBEE_SENDERS) {
        return NULL;
    }
    zigbee_sender *const place = state->senders + state->sender_count;
    *place = *like;
    place->next = 0;
    return place;
}

void zigbee_sender_keep(zigbee_state *state, zigbee_sender *place, uint32_t next)
{
    place->next = next > place->next ? next : place->next;
    if (place == state->senders + state->sender_count) {
        state->sender_count++;
    }
}

static zigbee_node *find(const zigbee_state *state, uint16_t pan, uint16_t address)
{
    for (uint32_t i = 0; i < state->node_count; i++) {
        const zigbee_node *one = state->nodes + i;
        if (one->pan == pan && one->address == address) {
            return (zigbee_node *)(uintptr_t)one;
        }
    }
    return NULL;
}

/* A place whose address nobody has proved; NULL: there is none. */
static zigbee_node *unproved(zigbee_state *state)
{
    for (uint32_t i = 0; i < state->node_count; i++) {
        if (!state->nodes[i].proved) {
            return state->nodes + i;
        }
    }
    return NULL;
}

void zigbee_node_learn(zigbee_state *state, uint16_t pan, uint16_t address, const uint8_t ext[8],
                       bool proved)
{
    zigbee_node *place = find(state, pan, address);
    if (place == NULL && state->node_count < FRAMES_ZIGBEE_NODES) {
        place = state->nodes + state->node_count++;
        place->proved = false;
    } else if (place == NULL && proved) {
        place = unproved(state);
    }
    if (place != NULL && (proved || !place->proved)) {
        *place = (zigbee_node){.pan = pan, .address = address, .proved = proved};
        memcpy(place->ext, ext, sizeof place->ext);
    }
}

const uint8_t *zigbee_node_find(const zigbee_state *state, uint16_t pan, uint16_t address)
{
    const zigbee_node *const found = find(state, pan, address);
    return found == NULL ? NULL : found->ext;
}

static bool same_key(const frames_zigbee_key *a, const frames_zigbee_key *b)
{
    return a->kind == b->kind && memcmp(a->octets, b->octets, sizeof a->octets) == 0 &&
           (a->kind == FRAMES_ZIGBEE_LINK || a->any_sequence ||
            (!b->any_sequence && a->sequence == b->sequence));
}

static void make(wm_aes128_tab_key *made, wm_aes128_tab_key *work, const uint8_t link_key[16],
                 wm_zigbee_derived which)
{
    uint8_t octets[16] = {0};
    /* The cipher is the CPU's own: it does not fail. */
    if (wm_zigbee_derive(&work->cipher, link_key, which, octets) == WM_OK) {
        wm_aes128_tab_init(made, octets);
    }
    wm_wipe(octets, sizeof octets);
}

uint8_t frames_zigbee_add(void *memory, const frames_zigbee_key *key)
{
    zigbee_state *const state = memory;
    wm_aes128_tab_key work;
    for (uint32_t i = 0; i < state->key_count; i++) {
        if (same_key(&state->keys[i].given, key)) {
            return (uint8_t)(i + 1);
        }
    }
    if (state->key_count == FRAMES_ZIGBEE_KEYS) {
        return 0;
    }
    zigbee_key *const place = state->keys + state->key_count++;
    *place = (zigbee_key){.given = *key};
    wm_aes128_tab_init(&place->data, key->octets);
    if (key->kind == FRAMES_ZIGBEE_LINK) {
        wm_aes128_tab_init(&work, key->octets);
        make(&place->transport, &work, key->octets, WM_ZIGBEE_DERIVE_TRANSPORT);
        make(&place->load, &work, key->octets, WM_ZIGBEE_DERIVE_LOAD);
    }
    return (uint8_t)state->key_count;
}

void frames_zigbee_key_at(const void *memory, uint8_t place, frames_zigbee_key *key)
{
    const zigbee_state *const state = memory;
    *key = place < state->key_count ? state->keys[place].given : (frames_zigbee_key){0};
}

uint8_t frames_zigbee_install(const uint8_t *code, uint8_t len, uint8_t *key)
{
    static const uint8_t zeros[16];
    wm_aes128_tab_key work;
    wm_aes128_tab_init(&work, zeros);
    return wm_zigbee_install_key(&work.cipher, code, len, key) == WM_OK;
}

uint64_t frames_zigbee_octets(void)
{
    return sizeof(zigbee_state);
}

uint64_t frames_zigbee_layout(void)
{
    return (sizeof(frames_zigbee_key) * 1009 + sizeof(frames_zigbee_job)) * 1009 +
           sizeof(frames_zigbee_result);
}

void frames_zigbee_begin(void *memory, const frames_zigbee_job *job)
{
    zigbee_state *const state = memory;
    state->job = *job;
    state->key_count = state->sender_count = state->node_count = 0;
    fcs_prepare(&state->fcs);
}

void frames_zigbee_wipe(void *memory)
{
    wm_wipe(memory, sizeof(zigbee_state));
}
