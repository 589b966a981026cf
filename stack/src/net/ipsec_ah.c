/* SPDX-License-Identifier: BSD-3-Clause */
/* The authentication header.
 * References: RFC 4302 §2, §3.3, §3.4.
 * The ICV is made with its own octets zero in the packet (§3.3.3.1.1); other mutable octets are passed
 * to the code as zeros and stay as they are. */
#include "ipsec_parts.h"

#define PAYLOAD_LEN 1u
#define RESERVED 2u
#define VERSION_6 0x60u
#define OPTION_CHANGES 0x20u /* RFC 8200 §4.2: its data may change on the way */

/* How far the code has got in a packet. */
typedef struct giving {
    const uint8_t *packet;
    uint16_t from;
    wm_ipsec_take take;
    void *mac;
} giving;

/* Gives the octets up to `at`, then zeros in the place of `zeros` octets. */
static void give_to(giving *to, uint16_t at, uint8_t zeros)
{
    static const uint8_t zero = 0;
    to->take(to->mac, to->packet + to->from, (size_t)(at - to->from));
    to->from = (uint16_t)(at + zeros);
    for (; zeros != 0; zeros--) {
        to->take(to->mac, &zero, 1);
    }
}

/* The packet without what may change on the way (§3.3.3.1). Its headers were walked through: all are
 * whole. */
static void give(const wm_ipsec_text *text, wm_ipsec_take take, void *mac)
{
    const uint8_t *packet = text->packet;
    /* no class, flow label or hop limit */
    const uint8_t first[IPV6_SOURCE] = {VERSION_6,
                                        [IPV6_PAYLOAD_LENGTH] = packet[IPV6_PAYLOAD_LENGTH],
                                        packet[IPV6_PAYLOAD_LENGTH + 1u], packet[IPV6_NEXT_HEADER]};
    giving to = {packet, IPV6_SOURCE, take, mac};
    uint16_t at = WM_IPV6_HEADER_LEN;
    uint8_t next = packet[IPV6_NEXT_HEADER];
    take(mac, first, sizeof first);
    while (at < text->at) {
        const uint16_t behind = (uint16_t)(at + wm_ipsec_extension(packet + at));
        const bool options = next != WM_IPV6_ROUTING;
        next = packet[at];
        for (at = (uint16_t)(at + 2); options && at < behind;) {
            const uint8_t kind = packet[at];
            uint8_t data;
            at = (uint16_t)(at + wm_ipsec_option(packet + at, &data));
            if ((kind & OPTION_CHANGES) != 0) {
                give_to(&to, (uint16_t)(at - data), data);
            }
        }
        at = behind;
    }
    give_to(&to, text->end, 0);
}

static wm_status seal(const wm_ipsec_sa *sa, const wm_ipsec_shape *shape, uint8_t *header,
                      uint16_t payload, uint8_t next)
{
    (void)sa;
    (void)payload;
    header[0] = next;
    header[PAYLOAD_LEN] = (uint8_t)(shape->front / 4u - 2u);
    header[RESERVED] = 0;
    header[RESERVED + 1] = 0;
    for (uint8_t i = WM_IPSEC_AH_ICV; i < shape->front; i++) {
        header[i] = 0;
    }
    return WM_OK;
}

static wm_status trim(const wm_ipsec_shape *shape, const uint8_t *header, uint16_t *octets,
                      uint8_t *next)
{
    *next = header[0];
    *octets = (uint16_t)(*octets - shape->front);
    return WM_OK;
}

const wm_ipsec_protocol wm_ipsec_ah = {WM_IPV6_AH, seal, trim, give};
