/* SPDX-License-Identifier: BSD-3-Clause */
/* From one network key to the next.
 * References: 05-3474-22 4.3.1.2 (keys by their number), 4.4.10 (Switch-Key).
 * Departs: the standard keeps the old key after the switch and begins the node's counter anew under
 * some conditions. Here the old key goes, and the counter goes on.
 * Invariant: the node's own counter never goes back, so no nonce comes twice under either key. */
#include <stddef.h>
#include "../mode/bound.h"
#include "zigbee_nwk_parts.h"

/* Index of the key that is not active. */
static uint8_t other(const wm_zigbee_nwk *nwk)
{
    return nwk->active ^ 1u;
}

wm_status wm_zigbee_nwk_add_key(wm_zigbee_nwk *nwk, const wm_cipher *key, uint8_t sequence)
{
    const wm_zigbee_network_key *active = nwk->keys + nwk->active;
    if (active->cipher == NULL) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    if (!wm_cipher_ready(key)) {
        return WM_ERR_STATE;
    }
    if (key->ops->block_octets != 16 || !wm_zigbee_newer(sequence, active->sequence)) {
        return WM_ERR_PARAM;
    }
    nwk->keys[other(nwk)] = (wm_zigbee_network_key){key, sequence};
    return WM_OK;
}

/* What is known of a sender counts for the active key from now on: see zigbee_senders.c. A store
 * whose limit goes on from what was heard under that key is not cleared: then a power cut finds no
 * counter that is too low. */
static wm_status begin_anew(wm_zigbee_sender *sender, uint8_t sequence)
{
    wm_counter *const counter = sender->counter;
    const bool heard = sender->sequence == sequence;
    if (wm_zigbee_newer(sequence, sender->sequence)) {
        sender->sequence = sequence;
        sender->next = 0;
    }
    if (counter == NULL) {
        return WM_OK;
    }
    if (!heard) {
        return counter->ops->clear(counter);
    }
    if (!counter->ops->continues(counter, sender->next)) {
        const wm_status status = counter->ops->clear(counter);
        if (status != WM_OK) {
            return status;
        }
    }
    return counter->ops->advance(counter, sender->next);
}

wm_status wm_zigbee_nwk_switch(wm_zigbee_nwk *nwk, uint8_t sequence)
{
    const uint8_t next = other(nwk);
    wm_status status = WM_OK;
    if (nwk->keys[nwk->active].cipher != NULL && nwk->keys[nwk->active].sequence == sequence) {
        return WM_OK;
    }
    if (nwk->keys[next].cipher == NULL || nwk->keys[next].sequence != sequence) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    nwk->keys[nwk->active].cipher = NULL;
    nwk->active = next;
    for (uint8_t i = 0; i < nwk->known; i++) {
        if (begin_anew(nwk->senders + i, sequence) != WM_OK) {
            status = WM_ERR_STORAGE;
        }
    }
    return status;
}
