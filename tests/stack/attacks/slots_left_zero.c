/* SPDX-License-Identifier: BSD-3-Clause */
/* Two devices, and nobody gave their counters a slot. The store's first slot must not stand for
 * both: a frame of the one would mute the other. */
#include "tables.h"

static const wm_device_descriptor devices[] = {{.pan = PAN, .short_addr = 1, .ext_addr = {1}},
                                               {.pan = PAN, .short_addr = 2, .ext_addr = {2}}};

/* A frame of a device with this counter. */
static wm_status frame_of(wm_security_pib *pib, uint8_t device, uint32_t counter)
{
    const wm_mhr mhr = {.type = WM_FRAME_DATA,
                        .version = WM_VERSION_2015,
                        .pan_id_compression = true,
                        .dst_pan = PAN,
                        .dst = {.mode = WM_ADDR_SHORT},
                        .src = {.mode = WM_ADDR_SHORT, .octet = {0, (uint8_t)(device + 1u)}}};
    uint8_t frame[WM_FRAME_MAX];
    wm_psdu_len len;
    wm_incoming found;

    secure_as(devices[device].ext_addr, mhr, counter, frame, &len);
    return wm_incoming_unsecure(pib, frame, &len, &found);
}

int main(void)
{
    wm_key_device under_key[] = {{.device = 0}, {.device = 1}};
    wm_key_descriptor key = key_of_all();
    wm_security_pib pib = pib_of(&key);

    key.devices = under_key;
    key.device_count = 2;
    pib.devices = devices;
    pib.device_count = 2;
    open_store(256, true);
    pib.store = &store;
    wm_pib_restore(&pib);
    HOLDS(wm_pib_check(&pib) != WM_OK);
    HOLDS(frame_of(&pib, 0, 100000) == WM_ERR_STORAGE);
    HOLDS(frame_of(&pib, 1, 10) == WM_ERR_STORAGE);
    under_key[0].counter.slot = WM_SLOT(0);
    under_key[1].counter.slot = WM_SLOT(1);
    pib.counter.slot = WM_SLOT(2);
    wm_pib_restore(&pib);
    MUST(wm_pib_check(&pib) == WM_OK);
    MUST(frame_of(&pib, 0, 100000) == WM_OK && frame_of(&pib, 1, 10) == WM_OK);
    return 0;
}
