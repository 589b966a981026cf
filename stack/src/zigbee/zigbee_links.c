/* SPDX-License-Identifier: BSD-3-Clause */
/* Links: nodes that share keys with this one, and counters of frames that came from them.
 * References: 05-3474-22 4.4.1.2 (incoming), attribute apsDeviceKeyPairSet. */
#include "../util/octets8.h"
#include "zigbee_aps_parts.h"
#include <stddef.h>

static const uint8_t nobody[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

uint8_t wm_zigbee_find_link(const wm_zigbee_aps *aps, const uint8_t address[8])
{
    uint8_t waits = aps->count;
    for (uint8_t i = 0; i < aps->count; i++) {
        if (wm_same8(aps->links[i].address, address)) {
            return i;
        }
        if (waits == aps->count && wm_same8(aps->links[i].address, nobody)) {
            waits = i;
        }
    }
    return waits;
}

const wm_cipher *wm_zigbee_link_key(const wm_zigbee_link *link, uint8_t key_id)
{
    switch (key_id) {
    case WM_ZIGBEE_KEY_DATA:
        return link->data;
    case WM_ZIGBEE_KEY_TRANSPORT:
        return link->transport;
    case WM_ZIGBEE_KEY_LOAD:
        return link->load;
    default:
        return NULL;
    }
}

wm_status wm_zigbee_link_admit(const wm_zigbee_link *link, uint32_t counter)
{
    return counter == UINT32_MAX || counter < link->next ? WM_ERR_COUNTER : WM_OK;
}

wm_status wm_zigbee_link_hear(wm_zigbee_link *link, const uint8_t source[8], uint32_t counter)
{
    if (link->counter != NULL && link->counter->ops->advance(link->counter, counter + 1) != WM_OK) {
        return WM_ERR_STORAGE;
    }
    link->next = counter + 1;
    wm_copy8(link->address, source);
    return WM_OK;
}

wm_status wm_zigbee_link_renew(wm_zigbee_link *link)
{
    if (link->counter != NULL && link->counter->ops->clear(link->counter) != WM_OK) {
        link->next = UINT32_MAX;
        return WM_ERR_STORAGE;
    }
    link->next = 0;
    return WM_OK;
}
