/* SPDX-License-Identifier: BSD-3-Clause */
/* The procedures of IEEE 802.15.4-2015 9.2 over the tables of a PIB, besides the engine's rules. The
 * tables are made from the configuration: a key for beacons and a key for all else, one device, and
 * the level of each kind of frame. What a table says of a frame is looked up before the frame's octets
 * meet a key. Of an own data frame that is when its header is built, of an Enh-Ack when the frame that
 * it answers is admitted. Counters move when a frame is secured, and when its MIC was right. They are
 * in RAM: like the rest of this image, they do not outlive a restart. */
#include <wardmote/security_procedures.h>
#include "policy.h"
#include "strategy.h"

#define BEACON_SLOT 0 /* key slots, and descriptors of the key table */
#define DATA_SLOT 1
#define BEACON_LEVEL 1 /* MIC-32, which the engine gives its beacons */
#define KINDS 3        /* beacon, data, Enh-Ack */

static wm_key_id_lookup lookups[WM_KEY_SLOTS];
static wm_key_device listed[WM_KEY_SLOTS];
static wm_key_descriptor keys[WM_KEY_SLOTS];
static wm_device_descriptor device;
static wm_frame_counter device_counter;
static wm_level_descriptor levels[KINDS];
static const wm_key_usage usage[KINDS] = {
    {.frame_type = WM_FRAME_BEACON}, {.frame_type = WM_FRAME_DATA}, {.frame_type = WM_FRAME_ACK}};

/* An observer reads its counters. */
__attribute__((used)) wm_security_pib slot_pib;

static wm_admission admission;
static bool admitted; /* `admission` is that of the latest frame */

static void describe_key(const wm_tsch_config *config, uint8_t slot)
{
    wm_key_id_lookup *lookup = &lookups[slot];
    wm_key_descriptor *key = &keys[slot];

    lookup->key_id_mode = config->key_id_mode;
    lookup->key_index = slot == DATA_SLOT ? config->data_key_index : config->beacon_key_index;
    __builtin_memcpy(lookup->key_source, config->key_source, sizeof lookup->key_source);
    listed[slot].counter.slot = WM_SLOT_VOLATILE;
    key->id_lookup = lookup;
    key->id_lookup_count = 1;
    key->usage = slot == DATA_SLOT ? usage + 1 : usage;
    key->usage_count = slot == DATA_SLOT ? KINDS - 1 : 1;
    key->devices = &listed[slot];
    key->device_count = 1;
}

static void describe_levels(const wm_tsch_config *config)
{
    for (uint8_t i = 0; i < KINDS; i++) {
        const uint8_t level = i == 0 ? BEACON_LEVEL : config->level;
        levels[i].frame_type = usage[i].frame_type;
        levels[i].allowed_levels = (uint8_t)WM_LEVEL_SET(level);
        levels[i].minimum = level;
    }
}

static void describe_device(const wm_tsch_config *config)
{
    device.pan = config->pan;
    device.short_addr = WM_NO_SHORT_ADDR;
    __builtin_memcpy(device.ext_addr, config->peer, sizeof device.ext_addr);
    device_counter.slot = WM_SLOT_VOLATILE;
}

/* KeyIdMode 0 tells keys apart by the address of the other node alone, and here one node has two. */
bool policy_start(const wm_tsch_config *config)
{
    if (config->level != 0 && config->key_id_mode == 0) {
        return false;
    }
    describe_key(config, BEACON_SLOT);
    describe_key(config, DATA_SLOT);
    describe_levels(config);
    describe_device(config);
    slot_pib.keys = keys;
    slot_pib.key_count = WM_KEY_SLOTS;
    slot_pib.devices = &device;
    slot_pib.device_count = 1;
    slot_pib.device_counters = &device_counter;
    slot_pib.levels = levels;
    slot_pib.level_count = KINDS;
    slot_pib.counter.slot = WM_SLOT_VOLATILE;
    slot_pib.asn_slot = WM_SLOT_VOLATILE;
    slot_pib.pan = config->pan;
    slot_pib.pan_coord_short = WM_NO_SHORT_ADDR;
    __builtin_memcpy(slot_pib.ext_addr, config->eui64, sizeof slot_pib.ext_addr);
    __builtin_memcpy(slot_pib.default_key_source, config->key_source,
                     sizeof slot_pib.default_key_source);
    slot_pib.edition =
        config->profile == WM_PROFILE_2015 ? WM_EDITION_2015 : WM_EDITION_2012E; /* level 4 */
    slot_pib.nonce_form = config->counter_carried ? WM_NONCE_COUNTER : WM_NONCE_ASN;
    return true;
}

void policy_key(uint8_t slot)
{
    keys[slot].cipher = strategy_cipher(slot);
}

/* Time goes on. A nonce with the counter has no ASN. */
static wm_status go_to(const uint8_t asn[5])
{
    return slot_pib.nonce_form == WM_NONCE_ASN ? wm_pib_set_asn(&slot_pib, asn) : WM_OK;
}

/* The outgoing procedure finds the key of this slot. */
static wm_status find(const wm_mhr *mhr, uint8_t key_slot)
{
    uint16_t key = WM_NO_INDEX;
    const wm_status status = wm_outgoing_admit(&slot_pib, mhr, &key);

    return status == WM_OK && key != key_slot ? WM_ERR_UNAVAILABLE_KEY : status;
}

__attribute__((noinline)) wm_status wm_port_builds(const struct wm_tsch *tsch,
                                                   const wm_frame_job *job)
{
    wm_status status = WM_OK;

    if (job->mhr.security_enabled) {
        status = go_to(tsch->asn);
        if (status == WM_OK) {
            status = find(&job->mhr, job->key_slot);
        }
    }
    return status;
}

__attribute__((noinline)) wm_status wm_port_admits(const struct wm_tsch *tsch,
                                                   const wm_frame_job *job)
{
    wm_status status = WM_OK;

    if (!job->mhr.security_enabled) {
        return WM_OK;
    }
    admitted = false;
    status = go_to(tsch->asn);
    if (status == WM_OK) {
        status = wm_incoming_admit(&slot_pib, job, &admission);
    }
    if (status == WM_OK && admission.found.key != job->key_slot) {
        status = WM_ERR_UNAVAILABLE_KEY;
    }
    if (status == WM_OK && job->mhr.type == WM_FRAME_DATA) {
        status = find(&tsch->tx.mhr, tsch->tx.key_slot); /* of its Enh-Ack */
    }
    admitted = status == WM_OK;
    return status;
}

__attribute__((noinline)) wm_status policy_secures(const wm_frame_job *job)
{
    wm_status status;

    if (!job->mhr.security_enabled) {
        return WM_OK;
    }
    status = go_to(job->asn);
    if (status == WM_OK && job->mhr.type == WM_FRAME_BEACON) {
        status = find(&job->mhr, job->key_slot);
    }
    if (status != WM_OK) {
        return status;
    }
    /* Cells in which this node sent nothing use up counters too. */
    if (slot_pib.counter.next < job->mhr.ash.frame_counter &&
        slot_pib.nonce_form == WM_NONCE_COUNTER) {
        slot_pib.counter.next = job->mhr.ash.frame_counter;
    }
    return wm_outgoing_take(&slot_pib, &job->mhr, job->key_slot);
}

/* The TSCH engine gives it to the next frame. */
void policy_unsecured(const wm_frame_job *job)
{
    if (job->mhr.security_enabled && slot_pib.nonce_form == WM_NONCE_COUNTER) {
        slot_pib.counter.next = job->mhr.ash.frame_counter;
    }
}

__attribute__((noinline)) wm_status policy_received(const wm_frame_job *job, wm_status status)
{
    wm_status accepted;

    if (status != WM_OK && status != WM_NOT_AUTHENTICATED) {
        return status;
    }
    accepted = admitted ? wm_incoming_accept(&slot_pib, job, &admission) : WM_ERR_STATE;
    admitted = false;
    if (accepted == WM_OK && job->mhr.type == WM_FRAME_BEACON) {
        accepted = go_to(job->asn);
    }
    return accepted == WM_OK ? status : accepted;
}
