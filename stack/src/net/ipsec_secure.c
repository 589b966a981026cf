/* SPDX-License-Identifier: BSD-3-Clause */
/* IPsec of packets that are sent.
 * References: RFC 4301 §5.1.
 * Invariants: what can be refused is refused before a sequence number is used. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/move.h"
#include "ipsec_parts.h"

/* The first SA of a group that has a sequence number left; of those that have none, the first. NULL:
 * there is none of the group. */
static wm_ipsec_sa *find_sa(const wm_ipsec *ipsec, uint8_t group, uint8_t number)
{
    wm_ipsec_sa *found = NULL, *sa = ipsec->out;
    for (uint8_t left = ipsec->outs; left != 0; left--, sa++) {
        if (sa->protocol == NULL || sa->protocol->number != number || sa->group != group) {
            continue;
        }
        if (sa->sequence != UINT32_MAX) {
            return sa;
        }
        found = found != NULL ? found : sa;
    }
    return found;
}

/* Puts AH or ESP in front of what is inside, which it then is. */
static wm_status put(const wm_ipsec_sa *sa, wm_ipsec_map *map)
{
    const wm_ipsec_protocol *protocol = sa->protocol;
    wm_ipsec_shape shape;
    const uint8_t next = map->inside.next;
    const uint16_t at = map->inside.at, payload = (uint16_t)(map->end - at);
    uint8_t *header = map->packet + at, *numbers = header + wm_ipsec_spi_at(protocol->number);
    wm_ipsec_shape_of(sa, payload, &shape);
    wm_move(header + shape.front, header, payload);
    map->inside.next = protocol->number;
    wm_ipsec_set(map, &map->inside, protocol->number, (uint16_t)(map->end + shape.all));
    wm_store_be32(numbers, sa->spi);
    wm_store_be32(numbers + 4, sa->sequence);
    wm_status status = protocol->seal(sa, &shape, header, payload, next);
    if (status != WM_OK || sa->integrity == NULL) {
        return status;
    }
    return wm_ipsec_make_icv(
        sa, map, at, shape.mask == 0 ? WM_IPSEC_AH_ICV : (uint16_t)(map->end - shape.tail - at));
}

/* The SAs of a policy, from the inmost on. */
#define SAS 2u

/* Finds them; NULL where the policy has none. */
static wm_status find_sas(const wm_ipsec *ipsec, const wm_ipsec_policy *policy, uint16_t left,
                          const wm_ipsec_map *map, wm_ipsec_sa *sas[SAS])
{
    uint16_t payload = (uint16_t)(map->end - map->inside.at);
    for (uint8_t i = 0; i < SAS; i++) {
        const uint8_t group = i == 0 ? policy->esp : policy->ah;
        wm_ipsec_sa *sa = NULL;
        if (group != 0) {
            wm_ipsec_shape shape;
            sa = find_sa(ipsec, group, i == 0 ? WM_IPV6_ESP : WM_IPV6_AH);
            if (sa == NULL) {
                return WM_ERR_UNAVAILABLE_KEY;
            }
            if (!wm_ipsec_usable(ipsec, sa, false)) {
                return WM_ERR_STATE;
            }
            wm_ipsec_shape_of(sa, payload, &shape);
            if (shape.all > left) {
                return WM_ERR_FRAME_TOO_LONG;
            }
            left = (uint16_t)(left - shape.all);
            payload = (uint16_t)(payload + shape.all);
        }
        sas[i] = sa;
    }
    return WM_OK;
}

static wm_status protect(const wm_ipsec *ipsec, const wm_ipsec_policy *policy, size_t size,
                         uint16_t *len, wm_ipsec_map *map)
{
    wm_ipsec_sa *sas[SAS];
    const uint16_t room = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX);
    const uint16_t left = (uint16_t)(room > map->end ? room - map->end : 0);
    wm_status status = find_sas(ipsec, policy, left, map, sas);
    for (uint8_t i = 0; i < SAS && status == WM_OK; i++) {
        if (sas[i] == NULL) {
            continue;
        }
        status = wm_ipsec_use_sequence(sas[i]);
        if (status == WM_ERR_COUNTER && ipsec->wants_keys != NULL) {
            ipsec->wants_keys(ipsec->context, sas[i]);
        }
    }
    if (status != WM_OK) {
        return status;
    }
    for (uint8_t i = 0; i < SAS && status == WM_OK; i++) {
        if (sas[i] != NULL) {
            status = put(sas[i], map);
        }
    }
    *len = map->end;
    if (status != WM_OK) {
        wm_wipe(map->packet, *len);
        *len = 0;
    }
    return status;
}

wm_status wm_ipsec_secure(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len)
{
    wm_ipsec_map map;
    const wm_ipsec_policy *policy;
    map.packet = packet;
    map.end = *len;
    wm_status status = ipsec->started ? wm_ipsec_walk(&map) : WM_ERR_STATE;
    if (status == WM_OK) {
        status = wm_ipsec_find_policy(ipsec, &map, IPV6_DESTINATION, &policy);
    }
    if (status != WM_OK) {
        return status;
    }
    return policy->action == WM_IPSEC_BYPASS ? WM_NOT_SECURED
                                             : protect(ipsec, policy, size, len, &map);
}
