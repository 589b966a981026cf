/* SPDX-License-Identifier: BSD-3-Clause */
/* References: LINKTYPE list of tcpdump.org (0, 1, 101, 108, 113, 228, 229, 276); RFC 791 3.1, RFC
 * 8200 3 and 4, RFC 768; IEEE 802.1Q (tags); ZEP versions 1 and 2, as Wireshark's dissector
 * describes them. Invariant: a `part` lies within the octets captured, and whoever reads from it
 * asks for its length first. */
#include <wardmote/octets.h>
#include "packet.h"

#define TYPE_IPV4 0x0800u
#define TYPE_IPV6 0x86DDu
#define TYPE_TAG 0x8100u
#define TYPE_SERVICE_TAG 0x88A8u
#define TYPE_IEEE802154 0x00F6u /* ETH_P_IEEE802154 of Linux */
#define TAGS 2u

#define ARPHRD_IEEE802154_MONITOR 805u /* its frames end with their FCS */

#define IPV4_LEAST 20u
#define IPV4_FRAGMENT 0x3FFFu /* more fragments, offset */
#define IPV6_HEADER 40u
#define IPV6_EXTENSIONS 8u
#define NEXT_UDP 17u
#define UDP_HEADER 8u

#define ZEP_PORT 17754u
#define ZEP_V1 16u
#define ZEP_V2 32u
#define ZEP_V2_ACK 2u
#define ZEP_LENGTH 0x7Fu

/* Octets of a record not yet read. */
typedef struct part {
    const uint8_t *at;
    uint32_t len;
} part;

static bool skip(part *rest, uint32_t octets)
{
    if (rest->len < octets) {
        return false;
    }
    rest->at += octets;
    rest->len -= octets;
    return true;
}

/* The UDP datagram behind an IPv6 header and its extensions, if there is one. */
static bool enter_ipv6(part *rest)
{
    if (rest->len < IPV6_HEADER || rest->len - IPV6_HEADER < wm_load_be16(rest->at + 4)) {
        return false;
    }
    uint8_t next = rest->at[6];
    rest->len = IPV6_HEADER + wm_load_be16(rest->at + 4);
    (void)skip(rest, IPV6_HEADER);
    for (uint8_t i = 0; i < IPV6_EXTENSIONS && next != NEXT_UDP; i++) {
        const bool options = next == 0 || next == 43 || next == 60;
        if (!options || rest->len < 8) {
            return false;
        }
        next = rest->at[0];
        if (!skip(rest, 8u * (rest->at[1] + 1u))) {
            return false;
        }
    }
    return next == NEXT_UDP;
}

/* The UDP datagram behind an IPv4 header, if there is one and it is no fragment. */
static bool enter_ipv4(part *rest)
{
    if (rest->len < IPV4_LEAST) {
        return false;
    }
    const uint32_t header = 4u * (rest->at[0] & 0xFu), total = wm_load_be16(rest->at + 2);
    if (header < IPV4_LEAST || total < header || total > rest->len || rest->at[9] != NEXT_UDP ||
        (wm_load_be16(rest->at + 6) & IPV4_FRAGMENT) != 0) {
        return false;
    }
    rest->len = total;
    return skip(rest, header);
}

static bool enter_ip(part *rest)
{
    if (rest->len == 0) {
        return false;
    }
    switch (rest->at[0] >> 4) {
    case 4:
        return enter_ipv4(rest);
    case 6:
        return enter_ipv6(rest);
    default:
        return false;
    }
}

/* The contents of a UDP datagram from or to the port of ZEP. */
static bool enter_udp(part *rest)
{
    if (rest->len < UDP_HEADER) {
        return false;
    }
    const uint32_t length = wm_load_be16(rest->at + 4);
    if (length < UDP_HEADER || length > rest->len ||
        (wm_load_be16(rest->at) != ZEP_PORT && wm_load_be16(rest->at + 2) != ZEP_PORT)) {
        return false;
    }
    rest->len = length;
    return skip(rest, UDP_HEADER);
}

static bool enter_ethernet(part *rest)
{
    if (!skip(rest, 12)) {
        return false;
    }
    for (uint8_t tags = 0; rest->len >= 6 && tags < TAGS; tags++) {
        const uint16_t type = wm_load_be16(rest->at);
        if (type != TYPE_TAG && type != TYPE_SERVICE_TAG) {
            break;
        }
        (void)skip(rest, 4);
    }
    if (rest->len < 2) {
        return false;
    }
    const uint16_t type = wm_load_be16(rest->at);
    return (type == TYPE_IPV4 || type == TYPE_IPV6) && skip(rest, 2);
}

/* The ZEP header: "EX", version, and of version 2 the type; channel, device 2, mode (0: the chip's
 * octets end the frame, else its FCS), LQI; the last octet is the length. */
static frames_reason read_zep(part *rest, psdu *found)
{
    if (rest->len < 4 || rest->at[0] != 'E' || rest->at[1] != 'X') {
        return FRAMES_FOREIGN;
    }
    const bool first = rest->at[2] == 1;
    if (!first && rest->at[3] == ZEP_V2_ACK) {
        return FRAMES_FOREIGN;
    }
    const uint32_t header = first ? ZEP_V1 : ZEP_V2;
    if (rest->len < header || (rest->at[header - 1] & ZEP_LENGTH) != rest->len - header) {
        return FRAMES_ZEP;
    }
    const uint8_t *const about = rest->at + (first ? 3 : 4);
    found->has_channel = true;
    found->channel = about[0];
    found->fcs = about[3] != 0 ? FRAMES_FCS_16 : FRAMES_FCS_CHIP;
    found->has_lqi = about[3] == 0;
    found->lqi = found->has_lqi ? about[4] : 0;
    (void)skip(rest, header);
    return FRAMES_NO_REASON;
}

/* Linux's cooked headers: `type` is their protocol, `device` the kind of interface. */
static bool enter_cooked(const frames_job *job, part *rest, uint16_t *type, uint16_t *device)
{
    const bool second = job->link_type == FRAMES_LINK_SLL2;
    const uint8_t *const head = rest->at;

    if (!skip(rest, second ? 20 : 16)) {
        return false;
    }
    *type = wm_load_be16(head + (second ? 0 : 14));
    *device = wm_load_be16(head + (second ? 8 : 2));
    return true;
}

/* Enters what the link type puts before IP. @return whether it is IP */
static bool enter_link(const frames_job *job, part *rest)
{
    switch (job->link_type) {
    case FRAMES_LINK_ETHERNET:
        return enter_ethernet(rest);
    case FRAMES_LINK_NULL:
    case FRAMES_LINK_LOOP:
        return skip(rest, 4);
    case FRAMES_LINK_RAW:
    case FRAMES_LINK_IPV4:
    case FRAMES_LINK_IPV6:
        return true;
    default:
        return false;
    }
}

frames_reason packet_read(const frames_job *job, const uint8_t *octets, psdu *found, uint32_t *end)
{
    part rest = {octets, *end};
    bool is_ip;

    if (job->link_type == FRAMES_LINK_SLL || job->link_type == FRAMES_LINK_SLL2) {
        uint16_t type, device;
        if (!enter_cooked(job, &rest, &type, &device)) {
            return FRAMES_FOREIGN;
        }
        if (type == TYPE_IEEE802154) {
            const uint8_t usual =
                device == ARPHRD_IEEE802154_MONITOR ? FRAMES_FCS_16 : FRAMES_FCS_NONE;
            found->fcs = job->fcs == FRAMES_FCS_UNSAID ? usual : job->fcs;
            found->head_len = (uint32_t)(rest.at - octets);
            return FRAMES_NO_REASON;
        }
        is_ip = type == TYPE_IPV4 || type == TYPE_IPV6;
    } else {
        is_ip = enter_link(job, &rest);
    }
    if (!is_ip || !enter_ip(&rest) || !enter_udp(&rest)) {
        return FRAMES_FOREIGN;
    }
    const frames_reason reason = read_zep(&rest, found);
    found->head_len = (uint32_t)(rest.at - octets);
    *end = found->head_len + rest.len;
    return reason;
}
