/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys, peers and policy of image `counters`. The keys are for trials: they lie open in the
 * image. */
#include <stddef.h>
#include <wardmote/aes128.h>
#include "counters.h"
#include "tables.h"

#define LEVEL 5 /* ENC-MIC-32 */

static const uint8_t secrets[COUNTERS_KEYS][16] = {
    {0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE,
     0xCF},
    {0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE,
     0xDF},
};

static const wm_device_descriptor peers[COUNTERS_KEYS] = {
    {.pan = TABLES_PAN,
     .short_addr = WM_NO_SHORT_ADDR,
     .ext_addr = {0x00, 0x12, 0x4B, 0, 0, 0, 0, 0xA1}},
    {.pan = TABLES_PAN,
     .short_addr = WM_NO_SHORT_ADDR,
     .ext_addr = {0x00, 0x12, 0x4B, 0, 0, 0, 0, 0xA2}},
};

static const wm_key_id_lookup lookup[COUNTERS_KEYS] = {{.key_id_mode = 1, .key_index = 1},
                                                       {.key_id_mode = 1, .key_index = 2}};
static const wm_key_usage usage = {.frame_type = WM_FRAME_DATA};
static const wm_level_descriptor policy = {.frame_type = WM_FRAME_DATA,
                                           .allowed_levels = WM_LEVEL_SET(LEVEL)};

static wm_aes128_tab_key made[COUNTERS_KEYS];
static wm_frame_counter outgoing[COUNTERS_KEYS];
static wm_key_device incoming[COUNTERS_KEYS];
static wm_key_descriptor keys[COUNTERS_KEYS];

void tables_fill(wm_security_pib *pib, wm_counter_store *store)
{
    for (uint8_t n = 0; n < COUNTERS_KEYS; n++) {
        wm_aes128_tab_init(&made[n], secrets[n]);
        outgoing[n].slot = WM_SLOT(COUNTERS_SLOT_OUT(n));
        incoming[n].counter.slot = WM_SLOT(COUNTERS_SLOT_IN(n));
        incoming[n].device = n;
        keys[n].id_lookup = &lookup[n];
        keys[n].usage = &usage;
        keys[n].devices = &incoming[n];
        keys[n].counter = &outgoing[n];
        keys[n].cipher = &made[n].cipher;
        keys[n].id_lookup_count = keys[n].usage_count = keys[n].device_count = 1;
    }
    pib->keys = keys;
    pib->devices = peers;
    pib->levels = &policy;
    pib->store = store;
    pib->key_count = pib->device_count = COUNTERS_KEYS;
    pib->level_count = 1;
    pib->pan = TABLES_PAN;
    pib->pan_coord_short = WM_NO_SHORT_ADDR;
    for (uint8_t n = 0; n < sizeof pib->ext_addr; n++) {
        pib->ext_addr[n] = tables_address[n];
    }
    pib->edition = WM_EDITION_2015;
    pib->nonce_form = WM_NONCE_COUNTER;
}

const uint8_t tables_address[8] = {0x00, 0x12, 0x4B, 0, 0, 0, 0, 0x01};

void tables_params(uint8_t key, wm_security_params *params)
{
    params->level = LEVEL;
    params->key_id_mode = 1;
    params->key_index = lookup[key].key_index;
}

uint32_t tables_least(uint8_t key)
{
    return incoming[key].counter.next;
}
