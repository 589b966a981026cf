/* SPDX-License-Identifier: BSD-3-Clause */
/* The PIB of a job, its tables, and the senders that are learned meanwhile. Every key lists every
 * device, in the order of the device table, so an index into one is an index into the other. */
#include <stddef.h>
#include <string.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "state.h"

#define ASN_MAX ((UINT64_C(1) << 40) - 1)

typedef struct cipher {
    const char *name;
    void (*init)(bound_key *key, const uint8_t octets[16]);
} cipher;

#define INIT(member, function)                                                                     \
    static void init_##member(bound_key *key, const uint8_t octets[16])                            \
    {                                                                                              \
        function(&key->member, octets);                                                            \
    }
INIT(host, frames_host_init)
INIT(tab, wm_aes128_tab_init)
INIT(fix, wm_aes128_fix_init)
INIT(small, wm_aes128_small_init)

/* The block cipher at a place. NULL: there are no more. */
static const cipher *cipher_at(uint8_t place)
{
    static const cipher ciphers[] = {{"aes128-aesni", init_host},
                                     {"aes128-tab", init_tab},
                                     {"aes128-fix", init_fix},
                                     {"aes128-small", init_small}};
    const size_t at = place + (frames_has_aes128_host() ? 0u : 1u);

    return at < sizeof ciphers / sizeof *ciphers ? ciphers + at : NULL;
}

const char *frames_cipher_name(uint8_t place)
{
    const cipher *found = cipher_at(place);
    return found != NULL ? found->name : NULL;
}

uint64_t frames_state_octets(void)
{
    return sizeof(frames_state);
}

void frames_wipe(void *state)
{
    wm_wipe(state, sizeof(frames_state));
}

static uint16_t key_count(const frames_state *state)
{
    return state->round_at[state->rounds];
}

/* Whether frames give both keys the same name. */
static bool same_name(const frames_key *a, const frames_key *b)
{
    return a->key_id_mode == b->key_id_mode && a->key_index == b->key_index &&
           memcmp(a->key_source, b->key_source, 8) == 0 &&
           (a->key_id_mode != 0 || (a->addr_mode == b->addr_mode && a->pan == b->pan));
}

/* The round in which a key is tried: how many keys before it have its name. */
static uint8_t round_of(const frames_job *job, uint32_t place)
{
    uint8_t before = 0;

    for (uint32_t i = 0; i < place; i++) {
        before = (uint8_t)(before + same_name(job->keys + i, job->keys + place));
    }
    return before;
}

/* Fills the key at `index` from that at `place` in the job. */
static void prepare_key(frames_state *state, const frames_job *job, uint32_t index, uint32_t place)
{
    const frames_key *from = job->keys + place;
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
                               .cipher = &state->bound[index].cipher,
                               .any_device =
                                   job->strangers != 0 && job->nonce_form != FRAMES_NONCE_COUNTER};
    for (uint8_t type = 0; type < FRAME_TYPES; type++) {
        if ((from->usage >> type & 1) != 0) {
            state->usages[index][key->usage_count++] = (wm_key_usage){type, WM_ANY_COMMAND};
        }
    }
    cipher_at(job->cipher)->init(state->bound + index, from->octets);
}

/* One round at least, so that the PIB can be used without any key. */
static void prepare_keys(frames_state *state, const frames_job *job)
{
    uint16_t index = 0;

    state->rounds = 0;
    do {
        state->round_at[state->rounds] = index;
        for (uint32_t place = 0; place < job->key_count; place++) {
            if (round_of(job, place) == state->rounds) {
                state->place[index] = (uint8_t)place;
                prepare_key(state, job, index++, place);
            }
        }
        state->round_at[++state->rounds] = index;
    } while (index < job->key_count);
}

/* Appends a device to the table and to every key's devices; there is room for it. */
static void add_device(frames_state *state, const wm_device_descriptor *device, uint32_t counter)
{
    const uint16_t index = state->pib.device_count++;

    state->devices[index] = *device;
    state->device_counters[index] = (wm_frame_counter){counter, WM_SLOT_VOLATILE};
    state->lenient_counters[index] = (wm_frame_counter){0, WM_SLOT_VOLATILE};
    state->lenient[index] = (wm_key_device){.counter = {0, WM_SLOT_VOLATILE}, .device = index};
    for (uint16_t key = 0; key < key_count(state); key++) {
        state->key_devices[key][index] =
            (wm_key_device){.counter = {counter, WM_SLOT_VOLATILE}, .device = index};
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
    state->sender_count = 0;
    memset(state->senders, 0, sizeof state->senders);
    *pib = (wm_security_pib){
        .devices = state->devices,
        .device_counters = state->device_counters,
        .levels = state->levels,
        .level_count = FRAME_TYPES,
        .counter = {job->counter, WM_SLOT_VOLATILE},
        .pan = job->pan,
        .pan_coord_short = job->pan_coord_short,
        .edition = job->edition,
        .nonce_form = job->nonce_form == FRAMES_NONCE_COUNTER ? WM_NONCE_COUNTER : WM_NONCE_ASN,
        .asn_slot = WM_SLOT_VOLATILE};
    if (job->edition > WM_EDITION_2012E) {
        pib->nonce_form = WM_NONCE_COUNTER; /* there is no TSCH yet */
    }
    memcpy(pib->ext_addr, job->ext_addr, 8);
    memcpy(pib->pan_coord_ext, job->pan_coord_ext, 8);
    memcpy(pib->default_key_source, job->default_key_source, 8);
    if (cipher_at(job->cipher) == NULL || job->key_count > FRAMES_KEYS ||
        job->device_count > FRAMES_DEVICES) {
        return WM_ERR_PARAM;
    }
    prepare_keys(state, job);
    prepare_devices(state, job);
    for (uint8_t type = 0; type < FRAME_TYPES; type++) {
        state->levels[type] = (wm_level_descriptor){.frame_type = type,
                                                    .command_id = WM_ANY_COMMAND,
                                                    .allowed_levels = job->allowed[type],
                                                    .minimum = job->minimum[type],
                                                    .minimum_admits_unauthenticated = true,
                                                    .device_override = true};
    }
    fcs_prepare(&state->fcs);
    wm_status status = WM_OK;
    for (uint8_t round = state->rounds; round-- != 0 && status == WM_OK;) {
        state_use_round(state, round);
        status = wm_pib_check(pib);
    }
    return status;
}

void state_use_round(frames_state *state, uint8_t round)
{
    state->round = round;
    state->pib.keys = state->keys + state->round_at[round];
    state->pib.key_count = (uint16_t)(state->round_at[round + 1] - state->round_at[round]);
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

void state_set_lenient(frames_state *state, bool lenient)
{
    for (uint16_t i = state->round_at[state->round]; i < state->round_at[state->round + 1]; i++) {
        state->keys[i].devices = lenient ? state->lenient : state->key_devices[i];
    }
    state->pib.device_counters = lenient ? state->lenient_counters : state->device_counters;
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
    for (uint16_t key = 0; key < key_count(state); key++) {
        state->keys[key].device_count = state->pib.device_count;
    }
}
