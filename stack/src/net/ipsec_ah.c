/* SPDX-License-Identifier: BSD-3-Clause */
/* The authentication header.
 * References: RFC 4302 §2, §3.3, §3.4.
 * The ICV is made with its own octets zero in the packet (§3.3.3.1.1); other mutable octets are passed
 * to the code as zeros and stay as they are. */
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "ipsec_parts.h"

#define PAYLOAD_LEN 1u
#define RESERVED 2u
#define SPI 4u
#define SEQUENCE 8u
#define ICV 12u
#define OPTION_CHANGES 0x20u /* RFC 8200 §4.2: its data may change on the way */

/* Octets of the header: a multiple of 8 (§3.3.3.2.1). */
static uint16_t header_octets(const wm_ipsec_sa *sa)
{
    return (uint16_t)((ICV + sa->integrity->icv_octets + 7u) & ~7u);
}

static uint16_t adds(const wm_ipsec_sa *sa, uint16_t octets)
{
    (void)octets;
    return header_octets(sa);
}

/* Gives the octets from `*from` to `data_at`, then `data` zeros in the place of what follows. */
static void give_zeros(const wm_ipsec_text *text, wm_ipsec_take take, void *mac, uint16_t *from,
                       uint16_t data_at, uint8_t data)
{
    const uint8_t zero = 0;
    take(mac, text->packet + *from, (size_t)(data_at - *from));
    *from = (uint16_t)(data_at + data);
    for (; data != 0; data--) {
        take(mac, &zero, 1);
    }
}

/* The packet without what may change on the way (§3.3.3.1). Its headers were walked through: all are
 * whole. */
static void give(const wm_ipsec_text *text, wm_ipsec_take take, void *mac)
{
    const uint8_t *packet = text->packet;
    uint8_t first[IPV6_SOURCE] = {(uint8_t)(packet[0] & 0xF0u)}; /* no class, flow or hop limit */
    uint16_t from = IPV6_SOURCE, at = WM_IPV6_HEADER_LEN;
    uint8_t next = packet[IPV6_NEXT_HEADER];
    first[IPV6_PAYLOAD_LENGTH] = packet[IPV6_PAYLOAD_LENGTH];
    first[IPV6_PAYLOAD_LENGTH + 1] = packet[IPV6_PAYLOAD_LENGTH + 1];
    first[IPV6_NEXT_HEADER] = next;
    take(mac, first, sizeof first);
    while (at < text->at) {
        const uint16_t left = (uint16_t)(text->at - at);
        const uint16_t behind = (uint16_t)(at + wm_ipv6_extension_len(next, packet + at, left));
        const bool options = next != WM_IPV6_ROUTING;
        next = packet[at];
        for (at = (uint16_t)(at + 2); options && at < behind;) {
            const uint8_t kind = packet[at];
            uint8_t data;
            at = (uint16_t)(at + wm_ipsec_option(packet + at, &data));
            if ((kind & OPTION_CHANGES) != 0) {
                give_zeros(text, take, mac, &from, (uint16_t)(at - data), data);
            }
        }
        at = behind;
    }
    take(mac, packet + from, (size_t)(text->end - from));
}

static void clear(uint8_t *octets, uint8_t count)
{
    for (; count != 0; count--) {
        *octets++ = 0;
    }
}

static wm_status seal(const wm_ipsec_sa *sa, uint8_t *packet, uint16_t at, uint16_t end,
                      uint8_t next)
{
    const uint16_t octets = header_octets(sa);
    const wm_ipsec_text text = {give, packet, at, (uint16_t)(end + octets)};
    uint8_t *header = packet + at;
    wm_ipsec_move_up(header, (uint16_t)(end - at), octets);
    header[0] = next;
    header[PAYLOAD_LEN] = (uint8_t)(octets / 4u - 2u);
    wm_store_be16(header + RESERVED, 0);
    wm_store_be32(header + SPI, sa->spi);
    wm_store_be32(header + SEQUENCE, sa->sequence);
    clear(header + ICV, (uint8_t)(octets - ICV));
    return sa->integrity->make(sa->integrity_key, &text, header + ICV);
}

static wm_status open(wm_ipsec_sa *sa, wm_counter_store *store, uint8_t *packet, uint16_t at,
                      uint16_t *end, uint8_t *next)
{
    const uint16_t octets = header_octets(sa);
    const wm_ipsec_text text = {give, packet, at, *end};
    uint8_t icv[WM_IPSEC_ICV_MAX], *header = packet + at;
    const uint32_t sequence = wm_load_be32(header + SEQUENCE);
    if (*end - at < octets || header[PAYLOAD_LEN] != octets / 4u - 2u) {
        return WM_ERR_MALFORMED;
    }
    wm_status status = wm_ipsec_is_new(sa, sequence);
    if (status != WM_OK) {
        return status;
    }
    for (uint8_t i = 0; i < sa->integrity->icv_octets; i++) {
        icv[i] = header[ICV + i];
    }
    clear(header + ICV, sa->integrity->icv_octets);
    status = sa->integrity->check(sa->integrity_key, &text, icv);
    wm_wipe(icv, sizeof icv);
    if (status == WM_OK) {
        status = wm_ipsec_came(sa, store, sequence);
    }
    if (status == WM_OK) {
        *next = header[0];
        *end = (uint16_t)(*end - octets);
        wm_ipsec_move_down(header, (uint16_t)(*end - at), octets);
    }
    return status;
}

const wm_ipsec_protocol wm_ipsec_ah = {WM_IPV6_AH, SPI, ICV, adds, seal, open};
