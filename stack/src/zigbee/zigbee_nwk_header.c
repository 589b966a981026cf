/* SPDX-License-Identifier: BSD-3-Clause */
/* Header of a NWK frame (05-3474-22 3.3.1). */
#include <wardmote/octets.h>
#include <wardmote/zigbee_nwk.h>
#include "../util/octets8.h"

#define TYPE 0x0003u
#define RESERVED_TYPE 2u
#define INTER_PAN 3u
#define VERSION 0x003Cu
#define VERSION_PRO 0x0008u /* 2, in its place */
#define MULTICAST 0x0100u
#define SECURITY 0x0200u
#define SOURCE_ROUTE 0x0400u
#define DST_EXT 0x0800u
#define SRC_EXT 0x1000u

#define FIXED 8u /* control, addresses, radius, sequence number */
#define EXT 8u

/* The next 8 octets are an address. False: they are not all there. */
static bool take_ext(const uint8_t *frame, uint8_t len, uint8_t *at, uint8_t ext[8])
{
    if (len - *at < (int)EXT) {
        return false;
    }
    wm_reverse8(ext, frame + *at);
    *at = (uint8_t)(*at + EXT);
    return true;
}

/* Octets of Source Route: relay count, relay index, relays of 2 octets. 0: more than there are. */
static uint8_t source_route(const uint8_t *octets, uint8_t len)
{
    if (len < 2) {
        return 0;
    }
    const unsigned octets_of = 2u + 2u * octets[0];
    return octets_of <= len ? (uint8_t)octets_of : 0;
}

wm_status wm_zigbee_nwk_parse(const uint8_t *frame, uint8_t len, wm_zigbee_nwk_header *header)
{
    uint8_t at = FIXED;
    if (len < 2) {
        return WM_ERR_MALFORMED;
    }
    const uint16_t control = wm_load_le16(frame);
    const uint8_t type = (uint8_t)(control & TYPE);
    if (type == INTER_PAN || (control & VERSION) != VERSION_PRO) {
        return WM_ERR_NOT_FOR_US;
    }
    if (type == RESERVED_TYPE || len < FIXED) {
        return WM_ERR_MALFORMED;
    }
    header->type = type;
    header->secured = (control & SECURITY) != 0;
    header->dst = wm_load_le16(frame + 2);
    header->src = wm_load_le16(frame + 4);
    header->radius = frame[6];
    header->sequence = frame[7];
    header->dst_ext_present = (control & DST_EXT) != 0;
    header->src_ext_present = (control & SRC_EXT) != 0;
    if ((header->dst_ext_present && !take_ext(frame, len, &at, header->dst_ext)) ||
        (header->src_ext_present && !take_ext(frame, len, &at, header->src_ext))) {
        return WM_ERR_MALFORMED;
    }
    if ((control & MULTICAST) != 0) {
        at++;
    }
    if (at > len) {
        return WM_ERR_MALFORMED;
    }
    if ((control & SOURCE_ROUTE) != 0) {
        const uint8_t route = source_route(frame + at, (uint8_t)(len - at));
        if (route == 0) {
            return WM_ERR_MALFORMED;
        }
        at = (uint8_t)(at + route);
    }
    header->len = at;
    return WM_OK;
}
