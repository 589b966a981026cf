/* SPDX-License-Identifier: BSD-3-Clause */
/* A PIB at start-up, and its time.
 *
 * References: IEEE 802.15.4-2011 7.5, 2015 9.5 (ranges of the attributes). */
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../mode/bound.h"
#include "../util/octets8.h"
#include "security_tables.h"
#include "tsch_time.h"

static bool lookup_valid(const wm_key_id_lookup *lookup)
{
    if (lookup->key_id_mode == 0) {
        return lookup->addr_mode == WM_ADDR_SHORT || lookup->addr_mode == WM_ADDR_EXT;
    }
    return lookup->key_id_mode <= 3 && lookup->key_index != 0;
}

static bool key_valid(const wm_security_pib *pib, const wm_key_descriptor *key)
{
    uint16_t i;

    if (!wm_cipher_ready(key->cipher) || key->cipher->ops->block_octets != WM_BLOCK_MAX ||
        (key->id_lookup_count != 0 && key->id_lookup == NULL) ||
        (key->usage_count != 0 && key->usage == NULL) ||
        (key->device_count != 0 && key->devices == NULL)) {
        return false;
    }
    for (i = 0; i < key->id_lookup_count; i++) {
        if (!lookup_valid(&key->id_lookup[i])) {
            return false;
        }
    }
    for (i = 0; i < key->usage_count; i++) {
        if (key->usage[i].frame_type > WM_FRAME_COMMAND) {
            return false;
        }
    }
    for (i = 0; i < key->device_count; i++) {
        if (key->devices[i].device >= pib->device_count) {
            return false;
        }
    }
    return true;
}

/* Each device once in each of its PANs. Its counter is one: wm_sender_lookup. */
static bool devices_differ(const wm_security_pib *pib)
{
    uint16_t i;
    uint16_t j;

    for (i = 1; i < pib->device_count; i++) {
        for (j = 0; j < i; j++) {
            if (pib->devices[i].pan == pib->devices[j].pan &&
                wm_same8(pib->devices[i].ext_addr, pib->devices[j].ext_addr)) {
                return false;
            }
        }
    }
    return true;
}

/* Outgoing counter of a key. */
static const wm_frame_counter *counter_of(const wm_security_pib *pib, const wm_key_descriptor *key)
{
    return key->counter != NULL ? key->counter : &pib->counter;
}

/* Whether both encrypt alike, or at least cannot be told apart: an engine failed. */
static bool same_key(const wm_cipher *a, const wm_cipher *b)
{
    wm_block128 of_a = {.word = {0}};
    wm_block128 of_b = {.word = {0}};
    bool failed;
    uint8_t diff;

    a->ops->encrypt(wm_cipher_schedule(a), &of_a);
    failed = wm_cipher_failed(a->ops, wm_cipher_schedule(a));
    b->ops->encrypt(wm_cipher_schedule(b), &of_b);
    failed = wm_cipher_failed(b->ops, wm_cipher_schedule(b)) || failed;
    diff = wm_ct_diff(of_a.octet, of_b.octet, sizeof of_a);
    wm_wipe(&of_a, sizeof of_a);
    wm_wipe(&of_b, sizeof of_b);
    return failed || diff == 0;
}

/* One key, one outgoing counter: two that count for the same octets would give the same nonces. */
static bool counters_differ_by_key(const wm_security_pib *pib)
{
    uint16_t i;
    uint16_t j;

    if (pib->edition != WM_EDITION_2015 || pib->nonce_form == WM_NONCE_ASN) {
        return true; /* one counter for all */
    }
    for (i = 1; i < pib->key_count; i++) {
        for (j = 0; j < i; j++) {
            if (counter_of(pib, &pib->keys[i]) != counter_of(pib, &pib->keys[j]) &&
                same_key(pib->keys[i].cipher, pib->keys[j].cipher)) {
                return false;
            }
        }
    }
    return true;
}

static bool policies_valid(const wm_security_pib *pib)
{
    uint16_t i;

    if ((pib->level_count != 0 && pib->levels == NULL) ||
        (pib->ie_usage_count != 0 && pib->ie_usage == NULL)) {
        return false;
    }
    for (i = 0; i < pib->level_count; i++) {
        if (pib->levels[i].frame_type > WM_FRAME_COMMAND || pib->levels[i].minimum > 7) {
            return false;
        }
    }
    for (i = 0; i < pib->ie_usage_count; i++) {
        if (pib->ie_usage[i].kind > WM_IE_KIND_NESTED_LONG) {
            return false;
        }
    }
    return true;
}

wm_status wm_pib_check(const wm_security_pib *pib)
{
    const bool asn = pib->nonce_form == WM_NONCE_ASN;
    uint16_t i;

    if (pib->edition > WM_EDITION_2006 || pib->nonce_form > WM_NONCE_ASN ||
        (asn && pib->edition > WM_EDITION_2012E) || pib->key_count == WM_NO_INDEX ||
        pib->device_count == WM_NO_INDEX) {
        return WM_ERR_PARAM;
    }
    if ((pib->key_count != 0 && pib->keys == NULL) ||
        (pib->device_count != 0 && pib->devices == NULL)) {
        return WM_ERR_PARAM;
    }
    if (!asn && pib->edition != WM_EDITION_2015 && pib->device_count != 0 &&
        pib->device_counters == NULL) {
        return WM_ERR_PARAM;
    }
    for (i = 0; i < pib->key_count; i++) {
        if (!key_valid(pib, &pib->keys[i])) {
            return WM_ERR_PARAM;
        }
    }
    if (!devices_differ(pib) || !counters_differ_by_key(pib) || !policies_valid(pib)) {
        return WM_ERR_PARAM;
    }
    return wm_slots_check(pib);
}

static void restore(const wm_security_pib *pib, wm_frame_counter *counter)
{
    if (counter != NULL && counter->slot != WM_SLOT_VOLATILE && counter->slot != 0) {
        const uint32_t limit = wm_counter_store_limit(pib->store, (uint8_t)(counter->slot - 1u));
        counter->next = limit > counter->next ? limit : counter->next;
    }
}

static void move_on(wm_security_pib *pib, const uint8_t asn[5])
{
    if (wm_asn_less(pib->asn, asn)) {
        wm_copy5(pib->asn, asn);
        pib->asn_used = false;
    }
}

/* Any ASN below the step of 256 slots that the store names may have been used. */
static void restore_asn(wm_security_pib *pib)
{
    uint8_t asn[5];

    if (pib->asn_slot != WM_SLOT_VOLATILE && pib->asn_slot != 0) {
        const uint32_t step = wm_counter_store_limit(pib->store, (uint8_t)(pib->asn_slot - 1u));
        wm_store_be32(asn, step);
        /* the last step may have been used: it is used up */
        asn[4] = step == UINT32_MAX ? 0xFFu : 0;
        move_on(pib, asn);
    }
}

void wm_pib_restore(wm_security_pib *pib)
{
    uint16_t i;
    uint16_t j;

    if (pib->store == NULL) {
        return;
    }
    restore_asn(pib);
    restore(pib, &pib->counter);
    if (pib->edition != WM_EDITION_2015) {
        for (i = 0; i < pib->device_count && pib->device_counters != NULL; i++) {
            restore(pib, &pib->device_counters[i]);
        }
        return;
    }
    for (i = 0; i < pib->key_count; i++) {
        const wm_key_descriptor *key = &pib->keys[i];
        restore(pib, key->counter);
        for (j = 0; j < key->device_count; j++) {
            restore(pib, &key->devices[j].counter);
        }
    }
}

wm_status wm_pib_set_asn(wm_security_pib *pib, const uint8_t asn[5])
{
    if (wm_asn_less(asn, pib->asn)) {
        return WM_ERR_COUNTER;
    }
    move_on(pib, asn);
    return WM_OK;
}
