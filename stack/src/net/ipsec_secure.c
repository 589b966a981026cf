/* SPDX-License-Identifier: BSD-3-Clause */
/* IPsec of packets that are sent.
 * References: RFC 4301 §5.1.
 * Invariants: what can be refused is refused before a sequence number is used. */
#include <wardmote/ct.h>
#include "ipsec_parts.h"

/* The first SA of a group that has a sequence number left; of those that have none, the first. NULL:
 * there is none of the group. */
static wm_ipsec_sa *find_sa(const wm_ipsec *ipsec, uint8_t group, uint8_t number)
{
    wm_ipsec_sa *used_up = NULL;
    for (uint8_t i = 0; i < ipsec->outs; i++) {
        wm_ipsec_sa *sa = ipsec->out + i;
        if (sa->protocol == NULL || sa->protocol->number != number || sa->group != group) {
            continue;
        }
        if (sa->sequence != UINT32_MAX) {
            return sa;
        }
        used_up = used_up != NULL ? used_up : sa;
    }
    return used_up;
}

/* Finds a SA and counts what it adds to a packet of `octets` behind the headers in front. */
static wm_status plan(const wm_ipsec *ipsec, uint8_t group, uint8_t number, uint16_t *octets,
                      uint32_t *total, wm_ipsec_sa **sa)
{
    *sa = NULL;
    if (group == 0) {
        return WM_OK;
    }
    wm_ipsec_sa *found = find_sa(ipsec, group, number);
    if (found == NULL) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    wm_status status = wm_ipsec_check_sa(ipsec, found, false);
    if (status != WM_OK) {
        return WM_ERR_STATE;
    }
    const uint16_t more = found->protocol->adds(found, *octets);
    *total += more;
    *octets = (uint16_t)(*octets + more);
    *sa = found;
    return WM_OK;
}

static wm_status use_sequence(const wm_ipsec *ipsec, wm_ipsec_sa *sa)
{
    if (sa == NULL) {
        return WM_OK;
    }
    wm_status status = wm_ipsec_use_sequence(sa, ipsec->store);
    if (status == WM_ERR_COUNTER && ipsec->wants_keys != NULL) {
        ipsec->wants_keys(ipsec->context, sa);
    }
    return status;
}

/* Puts AH or ESP in front of what is inside, which it then is. */
static wm_status put(const wm_ipsec_sa *sa, uint8_t *packet, wm_ipsec_map *map)
{
    if (sa == NULL) {
        return WM_OK;
    }
    const wm_ipsec_place *inside = &map->inside;
    const uint16_t end = map->end;
    map->end = (uint16_t)(end + sa->protocol->adds(sa, (uint16_t)(end - inside->at)));
    wm_ipsec_set_end(packet, map->end);
    packet[inside->named_at] = sa->protocol->number;
    const uint8_t next = inside->next;
    map->inside.next = sa->protocol->number;
    return sa->protocol->seal(sa, packet, inside->at, end, next);
}

static wm_status protect(const wm_ipsec *ipsec, const wm_ipsec_policy *policy, uint8_t *packet,
                         size_t size, uint16_t *len, wm_ipsec_map *map)
{
    wm_ipsec_sa *ah, *esp;
    uint32_t total = map->end;
    uint16_t octets = (uint16_t)(map->end - map->inside.at);
    wm_status status = plan(ipsec, policy->esp, WM_IPV6_ESP, &octets, &total, &esp);
    if (status == WM_OK) {
        status = plan(ipsec, policy->ah, WM_IPV6_AH, &octets, &total, &ah);
    }
    if (status == WM_OK && (total > size || total > UINT16_MAX)) {
        status = WM_ERR_FRAME_TOO_LONG;
    }
    if (status == WM_OK) {
        status = use_sequence(ipsec, esp);
    }
    if (status == WM_OK) {
        status = use_sequence(ipsec, ah);
    }
    if (status != WM_OK) {
        return status;
    }
    status = put(esp, packet, map);
    if (status == WM_OK) {
        status = put(ah, packet, map);
    }
    *len = map->end;
    if (status != WM_OK) {
        wm_wipe(packet, *len);
        *len = 0;
    }
    return status;
}

wm_status wm_ipsec_secure(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len)
{
    wm_ipsec_map map;
    const wm_ipsec_policy *policy;
    if (!ipsec->started) {
        return WM_ERR_STATE;
    }
    wm_status status = wm_ipsec_walk(packet, *len, &map);
    if (status == WM_OK && (map.upper.next == WM_IPV6_AH || map.upper.next == WM_IPV6_ESP)) {
        status = WM_ERR_MALFORMED;
    }
    if (status == WM_OK) {
        status = wm_ipsec_find_policy(ipsec, packet, &map, IPV6_DESTINATION, &policy);
    }
    if (status != WM_OK) {
        return status;
    }
    if (policy == NULL || policy->action == WM_IPSEC_DISCARD) {
        return WM_ERR_UNAVAILABLE_SECURITY_LEVEL;
    }
    if (policy->action == WM_IPSEC_BYPASS) {
        return WM_NOT_SECURED;
    }
    return protect(ipsec, policy, packet, size, len, &map);
}
