/* SPDX-License-Identifier: BSD-3-Clause */
/* What may come at which level, under which key, with which IEs.
 *
 * References: IEEE 802.15.4-2006 7.5.8.2.8 and 2011 7.2.6 (SecurityMinimum,
 * AllowedSecurityLevels), 2015 9.2.7 (levels), 9.2.9 (key usage), secIeUsagePolicy; 7.4.2, 7.4.3
 * (IE lists).
 * Departs: WM_ANY_COMMAND in a descriptor stands for one entry for each command there is. */
#include <stddef.h>
#include <wardmote/ie.h>
#include "security_tables.h"

#define LEVEL_ENCRYPTED 4u
#define LEVEL_MIC 3u

static bool fits(uint8_t entry_type, uint8_t entry_command, uint8_t frame_type, uint16_t command_id)
{
    if (entry_type != frame_type) {
        return false;
    }
    return frame_type != WM_FRAME_COMMAND || command_id == WM_COMMAND_UNKNOWN ||
           entry_command == WM_ANY_COMMAND || entry_command == command_id;
}

/* Levels are only partly ordered: encryption and length of the MIC are compared separately (2006
 * 7.5.8.2.8). */
static bool reaches(uint8_t level, uint8_t minimum)
{
    return (level & LEVEL_ENCRYPTED) >= (minimum & LEVEL_ENCRYPTED) &&
           (level & LEVEL_MIC) >= (minimum & LEVEL_MIC);
}

static wm_level_verdict judge(const wm_level_descriptor *entry, uint8_t edition, uint8_t level)
{
    const bool by_set =
        edition == WM_EDITION_2015 || (edition != WM_EDITION_2006 && entry->allowed_levels != 0);
    const bool proven = (level & LEVEL_MIC) != 0 || entry->minimum_admits_unauthenticated;
    const bool allowed = by_set ? (entry->allowed_levels >> level & 1u) != 0
                                : proven && reaches(level, entry->minimum);

    if (allowed) {
        return WM_LEVEL_PASSED;
    }
    return level == 0 && entry->device_override ? WM_LEVEL_CONDITIONALLY_PASSED : WM_LEVEL_FAILED;
}

wm_level_verdict wm_level_check(const wm_security_pib *pib, uint8_t frame_type, uint16_t command_id,
                                uint8_t level)
{
    wm_level_verdict best = WM_LEVEL_NO_DESCRIPTOR;
    uint16_t i;

    for (i = 0; i < pib->level_count; i++) {
        const wm_level_descriptor *entry = &pib->levels[i];
        if (fits(entry->frame_type, entry->command_id, frame_type, command_id)) {
            const wm_level_verdict verdict = judge(entry, pib->edition, level);
            if (command_id != WM_COMMAND_UNKNOWN) {
                return verdict;
            }
            best = verdict > best ? verdict : best;
        }
    }
    return best;
}

bool wm_usage_check(const wm_key_descriptor *key, uint8_t frame_type, uint16_t command_id)
{
    uint16_t i;

    for (i = 0; i < key->usage_count; i++) {
        if (fits(key->usage[i].frame_type, key->usage[i].command_id, frame_type, command_id)) {
            return true;
        }
    }
    return false;
}

static wm_status ie_allowed(const wm_security_pib *pib, uint8_t level, uint8_t kind, uint8_t id)
{
    uint16_t i;

    for (i = 0; i < pib->ie_usage_count; i++) {
        const wm_ie_usage *usage = &pib->ie_usage[i];
        if (usage->kind == kind && usage->id == id) {
            return (usage->allowed_levels >> level & 1u) != 0 ? WM_OK : WM_ERR_IMPROPER_IE_SECURITY;
        }
    }
    return WM_OK;
}

static wm_status check_header_ies(const wm_security_pib *pib, uint8_t level, const uint8_t *ies,
                                  wm_psdu_len len)
{
    wm_ie_list list = {ies, len};
    wm_ie ie;
    wm_status status;

    do {
        status = wm_ie_next_header(&list, &ie);
        if (status == WM_OK && ie.content != NULL) {
            status = ie_allowed(pib, level, WM_IE_KIND_HEADER, ie.id);
        }
    } while (status == WM_OK && ie.content != NULL);
    return status;
}

static wm_status check_nested_ies(const wm_security_pib *pib, uint8_t level, const wm_ie *mlme)
{
    wm_ie_list list = {mlme->content, (wm_psdu_len)mlme->len}; /* lies within a frame */
    wm_ie ie;
    wm_status status;

    do {
        status = wm_ie_next_nested(&list, &ie);
        if (status == WM_OK && ie.content != NULL) {
            status = ie_allowed(pib, level,
                                ie.long_format ? WM_IE_KIND_NESTED_LONG : WM_IE_KIND_NESTED_SHORT,
                                ie.id);
        }
    } while (status == WM_OK && ie.content != NULL);
    return status;
}

static wm_status check_payload_ie(const wm_security_pib *pib, uint8_t level, const wm_ie *ie)
{
    wm_status status;

    if (pib == NULL) {
        return WM_OK;
    }
    status = ie_allowed(pib, level, WM_IE_KIND_PAYLOAD, ie->id);
    return status == WM_OK && ie->id == WM_IE_GROUP_MLME ? check_nested_ies(pib, level, ie)
                                                         : status;
}

/* Payload IEs from `start` on, through their termination or to the end; `*payload` is what
 * follows. */
static wm_status walk_payload_ies(const wm_security_pib *pib, uint8_t level, const uint8_t *frame,
                                  wm_psdu_len start, wm_psdu_len end, wm_psdu_len *payload)
{
    wm_ie_list list = {frame + start, (wm_psdu_len)(end - start)};
    wm_ie ie;
    wm_status status;

    do {
        status = wm_ie_next_payload(&list, &ie);
        if (status == WM_OK && ie.content != NULL) {
            status = ie.id == WM_IE_GROUP_TERMINATION && ie.len != 0
                         ? WM_ERR_MALFORMED
                         : check_payload_ie(pib, level, &ie);
        }
    } while (status == WM_OK && ie.content != NULL && ie.id != WM_IE_GROUP_TERMINATION);
    *payload = (wm_psdu_len)(end - list.left);
    return status;
}

/* Whether payload IEs follow the header IEs. Only header termination 1 says so. It has no content,
 * so it is the last two octets of the list. In a list that ends with the frame nothing follows,
 * even if these octets look like a termination. */
bool wm_payload_ies_follow(const uint8_t *frame, const wm_mhr *mhr, const wm_frame_map *map)
{
    return mhr->ie_present && frame[map->open - 2u] == 0x00 && frame[map->open - 1u] == 0x3F;
}

wm_status wm_ies_check(const wm_security_pib *pib, uint8_t level, const uint8_t *frame,
                       const wm_mhr *mhr, const wm_frame_map *map, wm_psdu_len end,
                       wm_psdu_len *payload)
{
    const wm_security_pib *policy = pib != NULL && pib->ie_usage_count != 0 ? pib : NULL;
    wm_status status;

    *payload = map->private_payload;
    if (mhr->version < WM_VERSION_2015) {
        *payload = mhr->type == WM_FRAME_COMMAND ? map->open : map->private_payload;
        return WM_OK;
    }
    if (!mhr->ie_present) {
        return WM_OK;
    }
    if (policy != NULL) {
        status = check_header_ies(policy, level, frame + map->header_ie,
                                  (wm_psdu_len)(map->open - map->header_ie));
        if (status != WM_OK) {
            return status;
        }
    }
    return wm_payload_ies_follow(frame, mhr, map)
               ? walk_payload_ies(policy, level, frame, map->open, end, payload)
               : WM_OK;
}
