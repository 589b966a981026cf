/* SPDX-License-Identifier: BSD-3-Clause */
/* The IPv6 header, the length of extension headers, the checksum of upper layers.
 *
 * References: RFC 8200 3 (header), 4 (extension headers), 8.1 (checksum); RFC 4302 2.2 (AH counts
 * units of 4 octets); RFC 6275 6.1.1 (mobility header). */
#include <wardmote/ipv6.h>
#include <wardmote/octets.h>

#define VERSION 6u
#define EXTENSION_MIN 8u /* of the smallest extension header */

/* A loop: the compiler may not call memcpy, for there is none. */
static void copy_addr(uint8_t *to, const uint8_t *from)
{
    uint8_t i;

    for (i = 0; i < WM_IPV6_ADDR_LEN; i++) {
        to[i] = from[i];
    }
}

wm_status wm_ipv6_parse(const uint8_t *packet, uint16_t len, wm_ipv6_header *header)
{
    if (len < WM_IPV6_HEADER_LEN || packet[0] >> 4 != VERSION) {
        return WM_ERR_MALFORMED;
    }
    header->traffic_class = (uint8_t)((packet[0] & 0x0Fu) << 4 | packet[1] >> 4);
    header->flow_label = (uint32_t)(packet[1] & 0x0Fu) << 16 | wm_load_be16(packet + 2);
    header->payload_len = wm_load_be16(packet + 4);
    header->next_header = packet[6];
    header->hop_limit = packet[7];
    copy_addr(header->src, packet + 8);
    copy_addr(header->dst, packet + 24);
    return header->payload_len > len - WM_IPV6_HEADER_LEN ? WM_ERR_MALFORMED : WM_OK;
}

void wm_ipv6_build(const wm_ipv6_header *header, uint8_t out[WM_IPV6_HEADER_LEN])
{
    out[0] = (uint8_t)(VERSION << 4 | header->traffic_class >> 4);
    out[1] = (uint8_t)((header->traffic_class & 0x0Fu) << 4 | (header->flow_label >> 16 & 0x0Fu));
    wm_store_be16(out + 2, (uint16_t)header->flow_label);
    wm_store_be16(out + 4, header->payload_len);
    out[6] = header->next_header;
    out[7] = header->hop_limit;
    copy_addr(out + 8, header->src);
    copy_addr(out + 24, header->dst);
}

uint16_t wm_ipv6_extension_len(uint8_t protocol, const uint8_t *at, uint16_t left)
{
    uint16_t len;

    if (left < EXTENSION_MIN) {
        return 0;
    }
    switch (protocol) {
    case WM_IPV6_FRAGMENT: /* its second octet is reserved */
        return EXTENSION_MIN;
    case WM_IPV6_AH:
        len = (uint16_t)((at[1] + 2u) * 4u);
        break;
    case WM_IPV6_HOP_BY_HOP:
    case WM_IPV6_ROUTING:
    case WM_IPV6_DESTINATION:
    case WM_IPV6_MOBILITY:
        len = (uint16_t)((at[1] + 1u) * 8u);
        break;
    default:
        return 0;
    }
    return len > left ? 0 : len;
}

/* Adds octets as numbers of 16 bits to a sum; an odd one at the end has a zero behind it. */
static uint32_t add_octets(uint32_t sum, const uint8_t *p, uint16_t len)
{
    for (; len > 1; len = (uint16_t)(len - 2u)) {
        sum += wm_load_be16(p);
        p += 2;
    }
    if (len != 0) {
        sum += (uint16_t)((uint16_t)*p << 8);
    }
    return sum;
}

uint16_t wm_ipv6_checksum(const uint8_t src[WM_IPV6_ADDR_LEN], const uint8_t dst[WM_IPV6_ADDR_LEN],
                          uint8_t protocol, const uint8_t *data, uint16_t len)
{
    /* At most 32 786 numbers of 16 bits: the sum fits 32 bits. */
    uint32_t sum = (uint32_t)protocol + len;

    sum = add_octets(sum, src, WM_IPV6_ADDR_LEN);
    sum = add_octets(sum, dst, WM_IPV6_ADDR_LEN);
    sum = add_octets(sum, data, len);
    sum = (sum & 0xFFFFu) + (sum >> 16);
    sum += sum >> 16;
    return (uint16_t)~sum;
}
