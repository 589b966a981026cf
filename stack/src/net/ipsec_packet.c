/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers of an IPv6 packet, as IPsec sees them.
 * References: RFC 8200 §3, §4; RFC 4302 §3.1.1.
 * Departs: a routing header that is not at its end (Segments Left is not 0) is refused; so is a
 * fragment header, for the packet is to be reassembled before; so is a packet in a packet, which
 * would be a tunnel. */
#include <wardmote/octets.h>
#include "ipsec_parts.h"

#define VERSION_6 6u
#define SEGMENTS_LEFT 3u
#define EXTENSION_MIN 8u /* octets of the smallest extension header */
#define IPV4 4u          /* IANA: a packet of IPv4 in a packet */
#define ESP_HEADER 8u

/* Whether every option of a header of `octets` is whole. */
static bool options_whole(const uint8_t *header, uint16_t octets)
{
    uint16_t at = 2;
    while (at < octets) {
        uint8_t data;
        if (header[at] != 0 && octets - at < 2) {
            return false;
        }
        at = (uint16_t)(at + wm_ipsec_option(header + at, &data));
    }
    return at == octets;
}

/* The header behind `place`, which is of options or of routing. */
static bool pass(const wm_ipsec_map *map, wm_ipsec_place *place)
{
    const uint16_t left = (uint16_t)(map->end - place->at);
    const uint8_t *header = map->packet + place->at;
    if (left < EXTENSION_MIN || left < wm_ipsec_extension(header)) {
        return false;
    }
    const uint16_t octets = wm_ipsec_extension(header);
    place->named_at = place->at;
    place->at = (uint16_t)(place->at + octets);
    const bool routing = place->next == WM_IPV6_ROUTING;
    place->next = header[0];
    return routing ? header[SEGMENTS_LEFT] == 0 : options_whole(header, octets);
}

wm_status wm_ipsec_walk(wm_ipsec_map *map)
{
    const uint8_t *packet = map->packet;
    wm_ipsec_place *place = &map->upper;
    if (map->end < WM_IPV6_HEADER_LEN || packet[0] >> 4 != VERSION_6) {
        return WM_ERR_MALFORMED;
    }
    const uint16_t payload = wm_load_be16(packet + IPV6_PAYLOAD_LENGTH);
    if (payload > map->end - WM_IPV6_HEADER_LEN) {
        return WM_ERR_MALFORMED;
    }
    map->end = (uint16_t)(WM_IPV6_HEADER_LEN + payload);
    place->at = WM_IPV6_HEADER_LEN;
    place->named_at = IPV6_NEXT_HEADER;
    place->next = packet[IPV6_NEXT_HEADER];
    for (uint8_t passed = WM_IPV6_HOP_BY_HOP;;) {
        const uint8_t next = place->next;
        if (passed != WM_IPV6_DESTINATION) {
            map->inside = *place;
        }
        if (next == WM_IPV6_FRAGMENT || next == WM_IPV6_IPV6 || next == IPV4 ||
            (next == WM_IPV6_HOP_BY_HOP && place->named_at != IPV6_NEXT_HEADER)) {
            return WM_ERR_MALFORMED;
        }
        if (next != WM_IPV6_HOP_BY_HOP && next != WM_IPV6_ROUTING && next != WM_IPV6_DESTINATION) {
            return WM_OK;
        }
        if (!pass(map, place)) {
            return WM_ERR_MALFORMED;
        }
        passed = next;
    }
}

void wm_ipsec_set(wm_ipsec_map *map, const wm_ipsec_place *place, uint8_t next, uint16_t end)
{
    map->end = end;
    map->packet[place->named_at] = next;
    wm_store_be16(map->packet + IPV6_PAYLOAD_LENGTH, (uint16_t)(end - WM_IPV6_HEADER_LEN));
}

void wm_ipsec_shape_of(const wm_ipsec_sa *sa, uint16_t payload, wm_ipsec_shape *shape)
{
    const wm_ipsec_encryption *encryption = sa->encryption;
    const uint8_t icv = sa->integrity != NULL ? sa->integrity->icv_octets : encryption->icv_octets;
    shape->icv = icv;
    if (encryption == NULL) { /* a multiple of 8: RFC 4302 §3.3.3.2.1 */
        shape->front = (uint8_t)((WM_IPSEC_AH_ICV + icv + 7u) & 0xF8u);
        shape->mask = 0;
        shape->pad = 0;
        shape->tail = 0;
        shape->all = shape->front;
        return;
    }
    shape->front = (uint8_t)(ESP_HEADER + encryption->iv_octets);
    shape->mask = (uint8_t)(encryption->block_octets - 1u);
    shape->pad = (uint8_t)(0u - payload - WM_IPSEC_ESP_TRAILER) & shape->mask;
    shape->tail = icv;
    shape->all = (uint8_t)(shape->front + shape->pad + WM_IPSEC_ESP_TRAILER + icv);
}

wm_status wm_ipsec_make_icv(const wm_ipsec_sa *sa, const wm_ipsec_map *map, uint16_t at,
                            uint16_t icv)
{
    const uint16_t icv_at = (uint16_t)(at + icv);
    const wm_ipsec_text text = {sa->protocol->give, map->packet, at, icv_at, map->end};
    return sa->integrity->make(sa->integrity_key, &text, map->packet + icv_at);
}
