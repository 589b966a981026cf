/* SPDX-License-Identifier: BSD-3-Clause */
/* IPsec of packets that are received.
 * References: RFC 4301 §5.2; RFC 4302 §3.4; RFC 4303 §3.4.
 * Order of checks, for AH and then for ESP: SPI, SA, replay, ICV, window, decryption, padding; then
 * the policy. Invariants: of a packet that is refused nothing is left. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "ipsec_parts.h"

/* Which SAs a packet came under. */
typedef struct passed {
    uint8_t ah, esp; /* their groups; 0: not */
    bool without_icv;
} passed;

static wm_ipsec_sa *find_sa(const wm_ipsec *ipsec, uint8_t number, const uint8_t *header,
                            uint16_t octets)
{
    for (uint8_t i = 0; i < ipsec->ins; i++) {
        wm_ipsec_sa *sa = ipsec->in + i;
        if (sa->protocol != NULL && sa->protocol->number == number &&
            octets >= sa->protocol->data_octets &&
            wm_load_be32(header + sa->protocol->spi_at) == sa->spi) {
            return sa;
        }
    }
    return NULL;
}

/* Takes the header of AH or ESP out of the packet. */
static wm_status take_out(wm_ipsec *ipsec, uint8_t *packet, wm_ipsec_map *map, passed *by)
{
    const wm_ipsec_place place = map->upper;
    const bool is_ah = place.next == WM_IPV6_AH;
    uint16_t end = map->end;
    uint8_t next;
    wm_ipsec_sa *sa = find_sa(ipsec, place.next, packet + place.at, (uint16_t)(end - place.at));
    if (sa == NULL || packet[IPV6_DESTINATION] == 0xFF) {
        return WM_ERR_UNAVAILABLE_KEY; /* no SA is of more than one receiver */
    }
    wm_status status = wm_ipsec_check_sa(ipsec, sa, true);
    if (status != WM_OK) {
        return WM_ERR_STATE;
    }
    status = sa->protocol->open(sa, ipsec->store, packet, place.at, &end, &next);
    if (status != WM_OK) {
        return status;
    }
    packet[place.named_at] = next;
    wm_ipsec_set_end(packet, end);
    *(is_ah ? &by->ah : &by->esp) = sa->group;
    by->without_icv = wm_ipsec_icv_octets(sa) == 0;
    return wm_ipsec_walk(packet, end, map);
}

/* Whether the policy wants what the packet came under. */
static wm_status judge(const wm_ipsec_policy *policy, const passed *by)
{
    const bool in_clear = by->ah == 0 && by->esp == 0;
    if (policy == NULL || policy->action == WM_IPSEC_DISCARD) {
        return WM_ERR_UNAVAILABLE_SECURITY_LEVEL;
    }
    if (policy->action == WM_IPSEC_BYPASS) {
        return in_clear ? WM_NOT_SECURED : WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (by->ah != policy->ah || by->esp != policy->esp) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    return by->without_icv && by->ah == 0 ? WM_NOT_AUTHENTICATED : WM_OK;
}

static wm_status unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len)
{
    wm_ipsec_map map;
    passed by = {0, 0, false};
    const wm_ipsec_policy *policy = NULL;
    wm_status status = ipsec->started ? wm_ipsec_walk(packet, *len, &map) : WM_ERR_STATE;
    if (status == WM_OK && map.upper.next == WM_IPV6_AH) {
        status = take_out(ipsec, packet, &map, &by);
    }
    if (status == WM_OK && map.upper.next == WM_IPV6_ESP) {
        status = take_out(ipsec, packet, &map, &by);
    }
    if (status == WM_OK && (map.upper.next == WM_IPV6_AH || map.upper.next == WM_IPV6_ESP)) {
        status = WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (status == WM_OK) {
        status = wm_ipsec_find_policy(ipsec, packet, &map, IPV6_SOURCE, &policy);
    }
    if (status == WM_OK) {
        status = judge(policy, &by);
        *len = map.end;
    }
    return status;
}

wm_status wm_ipsec_unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len)
{
    const uint16_t came = *len;
    wm_status status = unsecure(ipsec, packet, len);
    if (status < WM_OK) {
        wm_wipe(packet, came);
        *len = 0;
    }
    return status;
}
