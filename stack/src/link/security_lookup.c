/* SPDX-License-Identifier: BSD-3-Clause */
/* Which key a frame names, and which device sent it.
 *
 * References: IEEE 802.15.4-2006 7.5.8.2, 2011 7.2.2 and 7.2.4, 2015 9.2.3 and 9.2.6 (lookups).
 * Tables are searched from the front; the first entry that fits holds. */
#include <stddef.h>
#include <wardmote/octets.h>
#include "../util/octets8.h"
#include "security_tables.h"

/* An absent address means the PAN coordinator (2011 7.2.2). */
static void set_coordinator(const wm_security_pib *pib, wm_station *station)
{
    if (pib->pan_coord_short >= 0xFFFEu) {
        station->addr.mode = WM_ADDR_EXT;
        wm_copy8(station->addr.octet, pib->pan_coord_ext);
    } else {
        station->addr.mode = WM_ADDR_SHORT;
        wm_store_be16(station->addr.octet, pib->pan_coord_short);
    }
    station->pan = pib->pan;
    station->assumed = true;
}

void wm_station_source(const wm_security_pib *pib, const wm_mhr *mhr, const wm_station *implied,
                       wm_station *station)
{
    if (mhr->src.mode == WM_ADDR_NONE) {
        if (implied != NULL) {
            *station = *implied;
        } else {
            set_coordinator(pib, station);
            station->pan = mhr->dst_pan_present ? mhr->dst_pan : pib->pan; /* 2006 7.5.8.2.4 */
        }
        return;
    }
    station->assumed = false;
    station->addr = mhr->src;
    station->pan = mhr->src_pan_present || mhr->dst_pan_present ? mhr->src_pan : pib->pan;
}

void wm_station_destination(const wm_security_pib *pib, const wm_mhr *mhr, wm_station *station)
{
    if (mhr->dst.mode == WM_ADDR_NONE) {
        set_coordinator(pib, station);
        return;
    }
    station->assumed = false;
    station->addr = mhr->dst;
    station->pan =
        mhr->dst_pan_present ? mhr->dst_pan : (mhr->src_pan_present ? mhr->src_pan : pib->pan);
}

static bool same_short(const uint8_t a[2], const uint8_t b[2])
{
    return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

/* 2011 table 61, 2015 table 9-11. */
static bool answers(const wm_security_pib *pib, const wm_key_id_lookup *lookup,
                    const uint8_t *key_source, uint8_t key_index, const wm_station *other)
{
    if (lookup->key_id_mode == 0) {
        const bool extended = lookup->addr_mode == WM_ADDR_EXT;
        /* 2006 7.5.8.2.2: LookupData of an extended address has no PAN identifier. */
        const bool pan_counts = !extended || pib->edition != WM_EDITION_2006;
        if (lookup->addr_mode != other->addr.mode || (pan_counts && lookup->pan != other->pan)) {
            return false;
        }
        return extended ? wm_same8(lookup->key_source, other->addr.octet)
                        : same_short(lookup->key_source, other->addr.octet);
    }
    if (lookup->key_index != key_index) {
        return false;
    }
    if (lookup->key_id_mode == 1) {
        return wm_same8(lookup->key_source, pib->default_key_source);
    }
    if (lookup->key_id_mode == 2) {
        return same_short(lookup->key_source, key_source) &&
               same_short(lookup->key_source + 2, key_source + 2);
    }
    return wm_same8(lookup->key_source, key_source);
}

uint16_t wm_key_lookup(const wm_security_pib *pib, uint8_t key_id_mode, const uint8_t *key_source,
                       uint8_t key_index, const wm_station *other)
{
    uint16_t i;
    uint16_t j;

    for (i = 0; i < pib->key_count; i++) {
        const wm_key_descriptor *key = &pib->keys[i];
        for (j = 0; j < key->id_lookup_count; j++) {
            const wm_key_id_lookup *lookup = &key->id_lookup[j];
            if (lookup->key_id_mode == key_id_mode &&
                answers(pib, lookup, key_source, key_index, other)) {
                return i;
            }
        }
    }
    return WM_NO_INDEX;
}

/* Extended addresses are unique in the world, short ones in their PAN. */
static bool is_at(const wm_device_descriptor *device, const wm_station *station)
{
    if (station->addr.mode == WM_ADDR_EXT) {
        return wm_same8(device->ext_addr, station->addr.octet);
    }
    return device->short_addr < 0xFFFEu && device->pan == station->pan &&
           device->short_addr == wm_load_be16(station->addr.octet);
}

uint16_t wm_device_lookup(const wm_security_pib *pib, const wm_station *station)
{
    uint16_t i;

    for (i = 0; i < pib->device_count; i++) {
        if (is_at(&pib->devices[i], station)) {
            return i;
        }
    }
    return WM_NO_INDEX;
}

/* Before 2015: the devices of a key's KeyDeviceList alone. A link key tells its device apart where
 * the frame's address does not (2006 7.5.8.2.6). Departs: an extended address that contradicts is
 * refused here, not by its MIC. */
static wm_key_device *find_listed(const wm_security_pib *pib, const wm_key_descriptor *key,
                                  const wm_station *station)
{
    uint16_t i;

    for (i = 0; i < key->device_count; i++) {
        wm_key_device *entry = &key->devices[i];
        const bool unnamed = station->assumed || station->addr.mode != WM_ADDR_EXT;
        if (!entry->blacklisted &&
            (is_at(&pib->devices[entry->device], station) || (entry->unique && unnamed))) {
            return entry;
        }
    }
    return NULL;
}

/* 2015: secKeyDeviceFrameCounterList. A device that stands in the device table once for each of its
 * PANs has one counter all the same, here and before 2015: the first. */
static wm_key_device *find_counter(const wm_security_pib *pib, const wm_key_descriptor *key,
                                   const uint8_t *ext_addr)
{
    uint16_t i;

    for (i = 0; i < key->device_count; i++) {
        if (wm_same8(pib->devices[key->devices[i].device].ext_addr, ext_addr)) {
            return &key->devices[i];
        }
    }
    return NULL;
}

static wm_frame_counter *device_counter(const wm_security_pib *pib, const uint8_t *ext_addr)
{
    wm_frame_counter *counter = pib->device_counters;
    const wm_device_descriptor *device = pib->devices;

    while (!wm_same8(device->ext_addr, ext_addr)) {
        device++;
        counter++;
    }
    return counter;
}

/* A sender that no table knows: no replay state, so only where none is kept. What this node sent in
 * the slot is not its sender's when it comes back. */
static wm_status take_any(const wm_security_pib *pib, const wm_key_descriptor *key,
                          const wm_station *station, wm_sender *sender)
{
    const bool extended = station->addr.mode == WM_ADDR_EXT;

    if (!key->any_device || pib->nonce_form != WM_NONCE_ASN ||
        (extended ? wm_same8(station->addr.octet, pib->ext_addr)
                  : pib->edition != WM_EDITION_2015)) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    sender->ext_addr = extended ? station->addr.octet : NULL;
    return WM_OK;
}

wm_status wm_sender_lookup(const wm_security_pib *pib, const wm_key_descriptor *key,
                           const wm_station *station, wm_sender *sender)
{
    const bool listed = pib->edition != WM_EDITION_2015;

    sender->entry = NULL;
    sender->counter = NULL;
    if (listed) {
        sender->entry = find_listed(pib, key, station);
        sender->device = sender->entry != NULL ? sender->entry->device : WM_NO_INDEX;
    } else {
        sender->device = wm_device_lookup(pib, station);
    }
    if (sender->device == WM_NO_INDEX) {
        return take_any(pib, key, station, sender);
    }
    sender->ext_addr = pib->devices[sender->device].ext_addr;
    if (pib->nonce_form == WM_NONCE_ASN) {
        return WM_OK;
    }
    if (listed) {
        sender->counter = device_counter(pib, sender->ext_addr);
        return WM_OK;
    }
    sender->entry = find_counter(pib, key, sender->ext_addr);
    if (sender->entry == NULL) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    sender->counter = &sender->entry->counter;
    return WM_OK;
}
