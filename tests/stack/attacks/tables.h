/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tables.h
 *  Key, levels and counters of a node, and frames to it and from it at level 5, for the attacks on
 *  the security procedures. */
#ifndef TESTS_STACK_ATTACKS_TABLES_H
#define TESTS_STACK_ATTACKS_TABLES_H

#include "attack.h"
#include "counter_double.h"
#include <wardmote/aes128.h>
#include <wardmote/counter_store.h>
#include <wardmote/security_procedures.h>

#define KEY_INDEX 1
#define SLOTS 3

static const uint8_t secret[16] = {3};
static const wm_key_id_lookup lookup = {.key_id_mode = 1, .key_index = KEY_INDEX};
static const wm_key_usage usage[] = {{.frame_type = WM_FRAME_DATA}, {.frame_type = WM_FRAME_ACK}};
static const wm_level_descriptor levels[] = {
    {.frame_type = WM_FRAME_DATA, .allowed_levels = WM_LEVEL_SET(5)},
    {.frame_type = WM_FRAME_ACK, .allowed_levels = WM_LEVEL_SET(5)}};
static const wm_security_params params = {.level = 5, .key_id_mode = 1, .key_index = KEY_INDEX};

static wm_aes128_tab_key cipher;
static counter_double medium;
static wm_counter_store store;
static uint32_t limits[SLOTS];

/** A key without devices. */
static inline wm_key_descriptor key_of_all(void)
{
    wm_aes128_tab_init(&cipher, secret);
    return (wm_key_descriptor){.id_lookup = &lookup,
                               .id_lookup_count = 1,
                               .usage = usage,
                               .usage_count = 2,
                               .cipher = &cipher.cipher};
}

/** A PIB of the 2015 edition in PAN 0xABCD with one key, whose outgoing counter has no slot. */
static inline wm_security_pib pib_of(const wm_key_descriptor *key)
{
    return (wm_security_pib){.keys = key,
                             .key_count = 1,
                             .levels = levels,
                             .level_count = 2,
                             .pan = PAN,
                             .pan_coord_short = WM_NO_SHORT_ADDR,
                             .edition = WM_EDITION_2015};
}

/** A new store, or an old one after a restart. */
static inline void open_store(uint32_t block, bool is_new)
{
    if (is_new) {
        memset(&medium, 0, sizeof medium);
        memset(medium.octet, 0xFF, sizeof medium.octet);
        medium.segment_octets = counter_double_two.segment_octets;
        medium.unit = counter_double_two.unit;
        MUST(wm_counter_store_create(&counter_double_two, &medium) == WM_OK);
    }
    MUST(wm_counter_store_open(&store, &counter_double_two, &medium, limits, SLOTS, block) ==
         WM_OK);
}

/** Secures `mhr`, with an ASH of level 5 and this counter, as the device with this address. */
static inline void secure_as(const uint8_t address[8], wm_mhr mhr, uint32_t counter, uint8_t *frame,
                             wm_psdu_len *len)
{
    const wm_security security = {.cipher = &cipher.cipher, .src_ext = address};

    mhr.security_enabled = true;
    mhr.ash =
        (wm_ash){.level = 5, .key_id_mode = 1, .key_index = KEY_INDEX, .frame_counter = counter};
    MUST(wm_mhr_build(&mhr, frame, WM_FRAME_MAX, len) == WM_OK);
    MUST(wm_frame_secure(&security, frame, WM_FRAME_MAX, len) == WM_OK);
}

#endif
