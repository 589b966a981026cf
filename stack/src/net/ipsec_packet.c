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
#define IPV4 4u /* IANA: a packet of IPv4 in a packet */

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
static wm_status pass(const uint8_t *packet, uint16_t end, wm_ipsec_place *place)
{
    const uint16_t left = (uint16_t)(end - place->at);
    const uint8_t *header = packet + place->at;
    const uint16_t octets = wm_ipv6_extension_len(place->next, header, left);
    if (octets == 0) {
        return WM_ERR_MALFORMED;
    }
    if (place->next == WM_IPV6_ROUTING ? header[SEGMENTS_LEFT] != 0
                                       : !options_whole(header, octets)) {
        return WM_ERR_MALFORMED;
    }
    place->named_at = place->at;
    place->next = header[0];
    place->at = (uint16_t)(place->at + octets);
    return WM_OK;
}

wm_status wm_ipsec_walk(const uint8_t *packet, uint16_t len, wm_ipsec_map *map)
{
    if (len < WM_IPV6_HEADER_LEN || packet[0] >> 4 != VERSION_6) {
        return WM_ERR_MALFORMED;
    }
    const uint16_t payload = wm_load_be16(packet + IPV6_PAYLOAD_LENGTH);
    if (payload > len - WM_IPV6_HEADER_LEN) {
        return WM_ERR_MALFORMED;
    }
    wm_ipsec_place place = {WM_IPV6_HEADER_LEN, IPV6_NEXT_HEADER, packet[IPV6_NEXT_HEADER]};
    map->end = (uint16_t)(WM_IPV6_HEADER_LEN + payload);
    map->inside = place;
    for (;;) {
        const uint8_t next = place.next;
        if (next == WM_IPV6_FRAGMENT || next == WM_IPV6_IPV6 || next == IPV4 ||
            (next == WM_IPV6_HOP_BY_HOP && place.named_at != IPV6_NEXT_HEADER)) {
            return WM_ERR_MALFORMED;
        }
        if (next != WM_IPV6_HOP_BY_HOP && next != WM_IPV6_ROUTING && next != WM_IPV6_DESTINATION) {
            map->upper = place;
            return WM_OK;
        }
        wm_status status = pass(packet, map->end, &place);
        if (status != WM_OK) {
            return status;
        }
        if (next != WM_IPV6_DESTINATION) {
            map->inside = place;
        }
    }
}

void wm_ipsec_set_end(uint8_t *packet, uint16_t end)
{
    wm_store_be16(packet + IPV6_PAYLOAD_LENGTH, (uint16_t)(end - WM_IPV6_HEADER_LEN));
}

void wm_ipsec_move_up(uint8_t *from, uint16_t octets, uint16_t by)
{
    for (from += octets; octets != 0; octets--) {
        from--;
        from[by] = *from;
    }
}

void wm_ipsec_move_down(uint8_t *to, uint16_t octets, uint16_t by)
{
    for (; octets != 0; octets--) {
        *to = to[by];
        to++;
    }
}
