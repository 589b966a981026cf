/* SPDX-License-Identifier: BSD-3-Clause */
/* The PIB of a job, its tables, and the senders that are learned meanwhile. Every key lists every
 * device, in the order of the device table, so an index into one is an index into the other. */
#include <stddef.h>
#include <string.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "aes128_host.h"
#include "state.h"

#define ASN_MAX ((UINT64_C(1) << 40) - 1)
#define WIPE_AT_ONCE 0x8000u /* a state is longer than wm_wipe can take */

const wm_cipher128 *cipher_at(uint8_t place)
{
    const wm_cipher128 *const host = frames_aes128_host();
    const wm_cipher128 *const portable[] = {&wm_aes128_tab, &wm_aes128_fix, &wm_aes128_small};

    if (host != NULL && place == 0) {
        return host;
    }
    place = (uint8_t)(place - (host != NULL));
    return place < sizeof portable / sizeof *portable ? portable[place] : NULL;
}

const char *frames_cipher_name(uint8_t place)
{
    const wm_cipher128 *cipher = cipher_at(place);
    return cipher != NULL ? cipher->name : NULL;
}

uint64_t frames_state_octets(void)
{
    return sizeof(frames_state);
}

void frames_wipe(void *state)
{
    uint8_t *p = state;

    for (uint64_t left = sizeof(frames_state); left != 0;) {
        const uint16_t now = (uint16_t)(left < WIPE_AT_ONCE ? left : WIPE_AT_ONCE);
        wm_wipe(p, now);
        p += now;
        left -= now;
    }
}

static void prepare_key(frames_state *state, const frames_job *job, uint32_t index)
{
    const frames_key *from = job->keys + index;
    wm_key_id_lookup *lookup = state->lookups + index;
    wm_key_descriptor *key = state->keys + index;

    *lookup = (wm_key_id_lookup){.key_id_mode = from->key_id_mode,
                                 .key_index = from->key_index,
                                 .addr_mode = from->addr_mode,
                                 .pan = from->pan};
    memcpy(lookup->key_source, from->key_source, 8);
    *key = (wm_key_descriptor){.id_lookup = lookup,
                               .id_lookup_count = 1,
                               .usage = state->usages[index],
                               .devices = state->key_devices[index],
                               .key = state->expanded + index,
                               .any_device =
                                   job->strangers != 0 && job->nonce_form != FRAMES_NONCE_COUNTER};
    for (uint8_t type = 0; type < FRAME_TYPES; type++) {
        if ((from->usage >> type & 1) != 0) {
            state->usages[index][key->usage_count++] = (wm_key_usage){type, WM_ANY_COMMAND};
        }
    }
    if (state->pib.cipher == &wm_aes128_fix) {
        wm_aes128_fix_expand(&state->expanded[index].fix, from->octets);
    } else {
        wm_aes128_expand(&state->expanded[index].standard, from->octets);
    }
}

/* Appends a device to the table and to every key's devices; there is room for it. */
static void add_device(frames_state *state, const wm_device_descriptor *device, uint32_t counter)
{
    const uint16_t index = state->pib.device_count++;

    state->devices[index] = *device;
    state->device_counters[index] = (wm_frame_counter){counter, WM_NO_SLOT};
    for (uint16_t key = 0; key < state->pib.key_count; key++) {
        state->key_devices[key][index] =
            (wm_key_device){.counter = {counter, WM_NO_SLOT}, .device = index};
        state->keys[key].device_count = state->pib.device_count;
    }
}

static void prepare_devices(frames_state *state, const frames_job *job)
{
    for (uint32_t i = 0; i < job->device_count && i < FRAMES_DEVICES; i++) {
        const frames_device *from = job->devices + i;
        wm_device_descriptor device = {
            .pan = from->pan, .short_addr = from->short_addr, .exempt = from->exempt != 0};
        memcpy(device.ext_addr, from->ext_addr, 8);
        add_device(state, &device, from->counter);
    }
}

wm_status state_prepare(frames_state *state, const frames_job *job)
{
    wm_security_pib *pib = &state->pib;

    state->has_answered = false;
    *pib = (wm_security_pib){
        .cipher = cipher_at(job->cipher),
        .keys = state->keys,
        .devices = state->devices,
        .device_counters = state->device_counters,
        .levels = state->levels,
        .level_count = FRAME_TYPES,
        .counter = {job->counter, WM_NO_SLOT},
        .pan = job->pan,
        .pan_coord_short = job->pan_coord_short,
        .edition = job->edition,
        .nonce_form = job->nonce_form == FRAMES_NONCE_COUNTER ? WM_NONCE_COUNTER : WM_NONCE_ASN,
        .enabled = true};
    if (job->edition < WM_EDITION_2012E) {
        pib->nonce_form = WM_NONCE_COUNTER; /* there is no TSCH yet */
    }
    memcpy(pib->ext_addr, job->ext_addr, 8);
    memcpy(pib->pan_coord_ext, job->pan_coord_ext, 8);
    memcpy(pib->default_key_source, job->default_key_source, 8);
    if (pib->cipher == NULL || job->key_count > FRAMES_KEYS || job->device_count > FRAMES_DEVICES) {
        return WM_ERR_PARAM;
    }
    for (uint32_t i = 0; i < job->key_count; i++) {
        prepare_key(state, job, i);
    }
    pib->key_count = (uint16_t)job->key_count;
    prepare_devices(state, job);
    for (uint8_t type = 0; type < FRAME_TYPES; type++) {
        state->levels[type] = (wm_level_descriptor){type, WM_ANY_COMMAND, job->allowed[type],
                                                    job->minimum[type], true};
    }
    fcs_prepare(&state->fcs);
    return wm_pib_check(pib);
}

frames_reason state_set_nonce(frames_state *state, const frames_job *job, bool asn_form,
                              const psdu *found, uint64_t number)
{
    uint64_t asn = found->asn;

    state->pib.asn_used = false;
    if (job->nonce_form == FRAMES_NONCE_AS_SAID) {
        state->pib.nonce_form = asn_form ? WM_NONCE_ASN : WM_NONCE_COUNTER;
    }
    if (state->pib.nonce_form != WM_NONCE_ASN || !asn_form) {
        return FRAMES_NO_REASON; /* where the two differ the procedure refuses the frame */
    }
    if (job->asn_source == FRAMES_ASN_COUNTED) {
        asn = job->asn + number;
    } else if (!found->has_asn) {
        return FRAMES_NO_ASN;
    }
    if (asn > ASN_MAX) {
        return FRAMES_NO_ASN;
    }
    state->pib.asn[0] = (uint8_t)(asn >> 32);
    wm_store_be32(state->pib.asn + 1, (uint32_t)asn);
    return FRAMES_NO_REASON;
}

uint16_t state_find_ext(const frames_state *state, const uint8_t ext[8])
{
    for (uint16_t i = 0; i < state->pib.device_count; i++) {
        if (memcmp(state->devices[i].ext_addr, ext, 8) == 0) {
            return i;
        }
    }
    return WM_NO_INDEX;
}

uint16_t state_find_short(const frames_state *state, uint16_t pan, uint16_t short_addr)
{
    for (uint16_t i = 0; i < state->pib.device_count; i++) {
        if (state->devices[i].pan == pan && state->devices[i].short_addr == short_addr) {
            return i;
        }
    }
    return WM_NO_INDEX;
}

uint16_t state_learn(frames_state *state, const uint8_t ext[8], uint16_t pan)
{
    wm_device_descriptor device = {.pan = pan, .short_addr = WM_NO_SHORT_ADDR};

    if (state->pib.device_count >= FRAMES_DEVICES) {
        return WM_NO_INDEX;
    }
    memcpy(device.ext_addr, ext, 8);
    add_device(state, &device, 0);
    return (uint16_t)(state->pib.device_count - 1);
}

void state_forget_last(frames_state *state)
{
    state->pib.device_count--;
    for (uint16_t key = 0; key < state->pib.key_count; key++) {
        state->keys[key].device_count = state->pib.device_count;
    }
}
