/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of senders: counters of frames that were received.
 * References: 05-3474-22 4.3.1.2.
 * Invariant: what a sender's store holds is no less than what was heard under the active key, nor
 * under a newer one unless the sender began anew there. So a caller may store the newer key's number
 * and lose power before the switch. Counters under an older key are in RAM alone: after a reset that
 * key is refused, or the sender has not left it. */
#include "../util/octets8.h"
#include "zigbee_nwk_parts.h"

wm_status wm_zigbee_find_sender(const wm_zigbee_nwk *nwk, const wm_zigbee_aux *aux, uint8_t *place)
{
    if (aux->counter == UINT32_MAX || wm_same8(aux->source, nwk->address)) {
        return WM_ERR_COUNTER;
    }
    uint8_t i = 0;
    while (i < nwk->known && !wm_same8(nwk->senders[i].address, aux->source)) {
        i++;
    }
    *place = i;
    if (i == nwk->known) {
        return i < nwk->capacity ? WM_OK : WM_ERR_UNAVAILABLE_DEVICE;
    }
    const wm_zigbee_sender *sender = nwk->senders + i;
    if (aux->sequence == sender->sequence) {
        return aux->counter < sender->next ? WM_ERR_COUNTER : WM_OK;
    }
    return wm_zigbee_newer(aux->sequence, sender->sequence) ? WM_OK : WM_ERR_COUNTER;
}

wm_status wm_zigbee_hear(wm_zigbee_nwk *nwk, const wm_zigbee_aux *aux, uint8_t place)
{
    wm_zigbee_sender *sender = nwk->senders + place;
    if (place == nwk->known) {
        wm_copy8(sender->address, aux->source);
        sender->counter = NULL;
        nwk->known++;
    } else if (sender->counter != NULL) {
        const wm_status status = sender->counter->ops->advance(sender->counter, aux->counter + 1);
        if (status != WM_OK) {
            return WM_ERR_STORAGE;
        }
    }
    sender->next = aux->counter + 1;
    sender->sequence = aux->sequence;
    return WM_OK;
}
