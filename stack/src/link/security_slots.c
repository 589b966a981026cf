/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether every counter in use has a slot of its own in the store. A descriptor that was never
 * filled has none (0), and two counters in one slot would mute one device by the frames of another.
 *
 * References: IEEE 802.15.4-2011 7.5, 2015 9.5 (which counters an edition has). */
#include <stddef.h>
#include "security_tables.h"

typedef struct claims {
    const wm_security_pib *pib;
    uint8_t taken[WM_COUNTER_SLOTS_MAX_OCTETS]; /* a bit a slot */
} claims;

static bool claim(claims *of, uint8_t slot)
{
    const uint8_t number = (uint8_t)(slot - 1u);
    uint8_t *const octet = &of->taken[number >> 3 & (WM_COUNTER_SLOTS_MAX_OCTETS - 1u)];
    const uint8_t bit = (uint8_t)(1u << (number & 7u));

    if (slot == WM_SLOT_VOLATILE) {
        return true;
    }
    if (slot == 0 || of->pib->store == NULL || number >= of->pib->store->slots ||
        (*octet & bit) != 0) {
        return false;
    }
    *octet |= bit;
    return true;
}

/* Does an earlier key share this one's outgoing counter? Then it has been claimed. */
static bool shares_counter(const wm_security_pib *pib, uint16_t key)
{
    uint16_t i = 0;

    while (i < key && pib->keys[i].counter != pib->keys[key].counter) {
        i++;
    }
    return i < key;
}

/* Does another key's list begin with this one? Then the longer of them is claimed, or the first of
 * two as long. */
static bool shares_devices(const wm_security_pib *pib, uint16_t key)
{
    const wm_key_descriptor *keys = pib->keys;
    uint16_t i = 0;

    while (i < pib->key_count &&
           (keys[i].devices != keys[key].devices || keys[i].device_count < keys[key].device_count ||
            (keys[i].device_count == keys[key].device_count && i >= key))) {
        i++;
    }
    return i < pib->key_count;
}

static bool claim_devices(claims *of, const wm_key_descriptor *key)
{
    uint16_t i;

    for (i = 0; i < key->device_count; i++) {
        if (!claim(of, key->devices[i].counter.slot)) {
            return false;
        }
    }
    return true;
}

/* 2015: an outgoing counter of the PIB, or of a key; incoming ones by key and device. */
static bool claim_by_key(claims *of)
{
    const wm_security_pib *pib = of->pib;
    uint16_t i;

    for (i = 0; i < pib->key_count; i++) {
        const wm_key_descriptor *key = &pib->keys[i];
        if (!shares_counter(pib, i) &&
            !claim(of, key->counter != NULL ? key->counter->slot : pib->counter.slot)) {
            return false;
        }
        if (!shares_devices(pib, i) && !claim_devices(of, key)) {
            return false;
        }
    }
    return true;
}

static bool claim_by_device(claims *of)
{
    const wm_security_pib *pib = of->pib;
    bool valid = claim(of, pib->counter.slot);
    uint16_t i;

    for (i = 0; valid && i < pib->device_count; i++) {
        valid = claim(of, pib->device_counters[i].slot);
    }
    return valid;
}

wm_status wm_slots_check(const wm_security_pib *pib)
{
    claims of = {.pib = pib};
    bool valid;

    if (pib->key_count == 0) {
        return WM_OK; /* nothing can be secured */
    }
    if (pib->nonce_form == WM_NONCE_ASN) {
        valid = claim(&of, pib->asn_slot);
    } else {
        valid = pib->edition == WM_EDITION_2015 ? claim_by_key(&of) : claim_by_device(&of);
    }
    return valid ? WM_OK : WM_ERR_STORAGE;
}
