/* SPDX-License-Identifier: BSD-3-Clause */
/* The PIB of a 6TiSCH minimal node.
 *
 * References: RFC 8180 (K1, K2, KeyIdMode 1), RFC 9031 for how K2 is had. Key indices 1 and 2 and
 * the levels, MIC-32 and ENC-MIC-32, are those that implementations agree on: assumed, the RFC
 * leaves them to be provisioned.
 * */
#include <stddef.h>
#include "../mode/bound.h"
#include "../util/octets8.h"
#include "security_tables.h"

const uint8_t wm_minimal_k1[16] = {0x36, 0x54, 0x69, 0x53, 0x43, 0x48, 0x20, 0x6D,
                                   0x69, 0x6E, 0x69, 0x6D, 0x61, 0x6C, 0x31, 0x35};

static const wm_key_id_lookup lookup[2] = {
    {.key_id_mode = 1, .key_index = WM_MINIMAL_K1_INDEX},
    {.key_id_mode = 1, .key_index = WM_MINIMAL_K2_INDEX},
};
static const wm_key_usage usage[4] = {
    {WM_FRAME_BEACON, 0}, /* K1 */
    {WM_FRAME_DATA, 0},   /* K2 from here on */
    {WM_FRAME_ACK, 0},
    {WM_FRAME_COMMAND, WM_ANY_COMMAND},
};
static const wm_level_descriptor levels[4] = {
    {.frame_type = WM_FRAME_BEACON, .allowed_levels = WM_LEVEL_SET(1)},
    {.frame_type = WM_FRAME_DATA, .allowed_levels = WM_LEVEL_SET(5)},
    {.frame_type = WM_FRAME_ACK, .allowed_levels = WM_LEVEL_SET(5)},
    {.frame_type = WM_FRAME_COMMAND,
     .command_id = WM_ANY_COMMAND,
     .allowed_levels = WM_LEVEL_SET(5)},
};

static wm_key_descriptor descriptor(uint8_t which, const wm_cipher *cipher)
{
    const wm_key_descriptor made = {
        .id_lookup = &lookup[which],
        .id_lookup_count = 1,
        .usage = &usage[which],
        .usage_count = which == 0 ? 1 : 3,
        .cipher = cipher,
        .any_device = true,
    };
    return made;
}

wm_status wm_pib_minimal(wm_security_pib *pib, wm_minimal_keys *keys, const wm_cipher *k1,
                         const wm_cipher *k2, wm_counter_store *store, uint8_t asn_slot)
{
    static const wm_security_pib nothing = {.key_count = 0};
    const wm_security_pib minimal = {
        .key_count = 2,
        .levels = levels,
        .store = store,
        .level_count = 4,
        .pan_coord_short = WM_NO_SHORT_ADDR,
        .asn_slot = asn_slot,
        .edition = WM_EDITION_2015,
        .nonce_form = WM_NONCE_ASN,
    };

    *pib = nothing;
    if (keys == NULL || !wm_cipher_ready(k1) || !wm_cipher_ready(k2) || store == NULL) {
        return WM_ERR_PARAM;
    }
    if (asn_slot == WM_SLOT_VOLATILE || wm_slots_check(&minimal) != WM_OK) {
        return WM_ERR_STORAGE;
    }
    keys->key[0] = descriptor(0, k1);
    keys->key[1] = descriptor(1, k2);
    *pib = minimal;
    pib->keys = keys->key;
    wm_pib_restore(pib);
    return WM_OK;
}
