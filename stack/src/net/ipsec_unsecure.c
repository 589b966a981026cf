/* SPDX-License-Identifier: BSD-3-Clause */
/* IPsec of packets that are received.
 * References: RFC 4301 §5.2; RFC 4302 §3.4; RFC 4303 §3.4.
 * Order of checks, for AH and then for ESP: SPI, SA, replay, ICV, decryption, window, padding; then
 * the policy. Invariants: of a packet that is refused nothing is left. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/compiler.h"
#include "../util/move.h"
#include "../util/xor.h"
#include "ipsec_parts.h"

#define NUMBERS 8u     /* octets of SPI and sequence number */
#define PAYLOAD_LEN 1u /* of AH */

/* Which SAs a packet came under. */
typedef struct passed {
    uint8_t ah, esp; /* their groups; 0: not */
    uint8_t icv;     /* octets of the last one's; 0: it has none */
} passed;

/* The SA of a header of AH or ESP that has its numbers. */
static wm_ipsec_sa *find_sa(const wm_ipsec *ipsec, uint8_t number, const uint8_t *numbers)
{
    const uint32_t spi = wm_load_be32(numbers);
    wm_ipsec_sa *sa = ipsec->in;
    for (uint8_t left = ipsec->ins; left != 0; left--, sa++) {
        if (sa->protocol != NULL && sa->protocol->number == number && sa->spi == spi) {
            return sa;
        }
    }
    return NULL;
}

/* Makes the ICV in the place of the one that came, and compares them in constant time. */
static wm_status verify(const wm_ipsec_sa *sa, wm_ipsec_map *map, uint16_t icv_at)
{
    uint8_t came[WM_IPSEC_ICV_MAX];
    const uint8_t octets = sa->integrity->icv_octets;
    uint8_t *icv = map->packet + map->upper.at + icv_at;
    wm_copy(came, icv, octets);
    wm_wipe(icv, octets);
    wm_status status = wm_ipsec_make_icv(sa, map, map->upper.at, icv_at);
    if (status == WM_OK && wm_ct_diff(came, icv, octets) != 0) {
        status = WM_ERR_SECURITY;
    }
    wm_wipe(came, sizeof came);
    return status;
}

/* What AH or ESP promises of the packet. A combined mode has its ICV after the decryption. */
static wm_status open(wm_ipsec_sa *sa, const wm_ipsec_shape *shape, wm_ipsec_map *map,
                      uint32_t sequence, uint16_t icv_at)
{
    wm_status status = shape->icv != 0 ? wm_ipsec_window(sa, sequence, false) : WM_OK;
    if (status == WM_OK && sa->integrity != NULL) {
        status = verify(sa, map, icv_at);
    }
    if (status == WM_OK && sa->encryption != NULL) {
        status = sa->encryption->open(sa, map->packet + map->upper.at,
                                      (uint16_t)(icv_at - shape->front));
    }
    return status == WM_OK && shape->icv != 0 ? wm_ipsec_window(sa, sequence, true) : status;
}

/* Takes the header of AH or ESP out of the packet. A function of its own: inlined, it takes 50 octets
 * more on the MSP430. */
WM_NOINLINE static wm_status take_out(const wm_ipsec *ipsec, wm_ipsec_map *map, passed *by)
{
    wm_ipsec_shape shape;
    const uint16_t at = map->upper.at;
    uint16_t octets = (uint16_t)(map->end - at);
    uint8_t *header = map->packet + at, next = map->upper.next;
    const uint8_t *numbers = header + wm_ipsec_spi_at(next);
    wm_ipsec_sa *sa =
        octets >= wm_ipsec_spi_at(next) + NUMBERS ? find_sa(ipsec, next, numbers) : NULL;
    if (sa == NULL || map->packet[IPV6_DESTINATION] == 0xFF) {
        return WM_ERR_UNAVAILABLE_KEY; /* no SA is of more than one receiver */
    }
    if (!wm_ipsec_usable(ipsec, sa, true)) {
        return WM_ERR_STATE;
    }
    wm_ipsec_shape_of(sa, 0, &shape);
    const uint16_t icv_at = shape.mask == 0 ? WM_IPSEC_AH_ICV : (uint16_t)(octets - shape.tail);
    if (octets < shape.all || /* ESP has a block at least */
        (shape.mask == 0 ? header[PAYLOAD_LEN] != shape.front / 4u - 2u
                         : ((icv_at - shape.front) & shape.mask) != 0)) {
        return WM_ERR_MALFORMED;
    }
    *(next == WM_IPV6_AH ? &by->ah : &by->esp) = sa->group;
    by->icv = shape.icv;
    wm_status status = open(sa, &shape, map, wm_load_be32(numbers + 4), icv_at);
    octets = (uint16_t)(octets - shape.tail);
    if (status == WM_OK) {
        status = sa->protocol->trim(&shape, header, &octets, &next);
    }
    if (status != WM_OK) {
        return status;
    }
    wm_ipsec_set(map, &map->upper, next, (uint16_t)(at + octets));
    wm_move(header, header + shape.front, octets);
    return wm_ipsec_walk(map);
}

/* Whether the policy wants what the packet came under. */
static wm_status judge(const wm_ipsec_policy *policy, const passed *by)
{
    const bool bypass = policy->action == WM_IPSEC_BYPASS;
    if (by->ah != (bypass ? 0 : policy->ah) || by->esp != (bypass ? 0 : policy->esp)) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if (bypass) {
        return WM_NOT_SECURED;
    }
    return by->icv == 0 && by->ah == 0 ? WM_NOT_AUTHENTICATED : WM_OK;
}

static wm_status unsecure(const wm_ipsec *ipsec, wm_ipsec_map *map)
{
    passed by = {0, 0, 0};
    const wm_ipsec_policy *policy;
    wm_status status = ipsec->started ? wm_ipsec_walk(map) : WM_ERR_STATE;
    for (uint8_t number = WM_IPV6_AH; number >= WM_IPV6_ESP; number--) { /* AH is outside */
        if (status == WM_OK && map->upper.next == number) {
            status = take_out(ipsec, map, &by);
        }
    }
    if (status == WM_OK) {
        status = wm_ipsec_find_policy(ipsec, map, IPV6_SOURCE, &policy);
    }
    return status == WM_OK ? judge(policy, &by) : status;
}

wm_status wm_ipsec_unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len)
{
    wm_ipsec_map map;
    map.packet = packet;
    map.end = *len;
    wm_status status = unsecure(ipsec, &map);
    if (status < WM_OK) {
        wm_wipe(packet, *len);
        map.end = 0;
    }
    *len = map.end;
    return status;
}
