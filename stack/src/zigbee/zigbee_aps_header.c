/* SPDX-License-Identifier: BSD-3-Clause */
/* Header of an APS frame (05-3474-22 2.2.5.1). */
#include <wardmote/octets.h>
#include <wardmote/zigbee_aps.h>
#include "zigbee_aps_parts.h"

#define TYPE 0x03u
#define INTER_PAN 3u
#define DELIVERY 0x0Cu
#define DELIVERY_AT 2
#define RESERVED_DELIVERY 1u
#define ACK_FORMAT 0x10u /* of an ack: that of a command */
#define ACK_REQUEST 0x40u
#define EXTENDED 0x80u

#define FRAGMENTATION 0x03u
#define RESERVED_FRAGMENTATION 3u

/* What is left of a frame while its header is read. */
typedef struct rest {
    const uint8_t *octets;
    uint8_t at, len;
} rest;

/* The next `octets` octets, 1 or 2. False: they are not all there. */
static bool take(rest *of, uint16_t *value, uint8_t octets)
{
    if (of->len - of->at < octets) {
        return false;
    }
    *value = octets == 1 ? of->octets[of->at] : wm_load_le16(of->octets + of->at);
    of->at = (uint8_t)(of->at + octets);
    return true;
}

static bool take8(rest *of, uint8_t *value)
{
    uint16_t wide;
    const bool there = take(of, &wide, 1);
    *value = there ? (uint8_t)wide : 0;
    return there;
}

/* 2.2.5.1.2 to 2.2.5.1.6 */
static bool take_endpoints(rest *of, wm_zigbee_aps_header *header)
{
    const bool to_group = header->delivery == WM_ZIGBEE_APS_GROUP;
    header->endpoints_present = true;
    return (to_group ? take(of, &header->group, 2) : take8(of, &header->dst_endpoint)) &&
           take(of, &header->cluster, 2) && take(of, &header->profile, 2) &&
           take8(of, &header->src_endpoint);
}

/* 2.2.5.1.8 */
static bool take_extended(rest *of, wm_zigbee_aps_header *header)
{
    uint8_t control, received;
    if (!take8(of, &control)) {
        return false;
    }
    header->fragmentation = control & FRAGMENTATION;
    if (header->fragmentation == 0) {
        return true;
    }
    return header->fragmentation != RESERVED_FRAGMENTATION && take8(of, &header->block) &&
           (header->type != WM_ZIGBEE_APS_ACK || take8(of, &received));
}

wm_status wm_zigbee_aps_parse(const uint8_t *frame, uint8_t len, wm_zigbee_aps_header *header)
{
    rest of = {frame, 0, len};
    uint8_t control;
    if (!take8(&of, &control)) {
        return WM_ERR_MALFORMED;
    }
    *header = (wm_zigbee_aps_header){.type = control & TYPE,
                                     .delivery = (uint8_t)((control & DELIVERY) >> DELIVERY_AT),
                                     .secured = (control & ZIGBEE_APS_SECURED) != 0,
                                     .ack_request = (control & ACK_REQUEST) != 0};
    if (header->type == INTER_PAN) {
        return WM_ERR_NOT_FOR_US;
    }
    const bool no_endpoints = header->type == WM_ZIGBEE_APS_COMMAND ||
                              (header->type == WM_ZIGBEE_APS_ACK && (control & ACK_FORMAT) != 0);
    if (header->delivery == RESERVED_DELIVERY || (!no_endpoints && !take_endpoints(&of, header)) ||
        !take8(&of, &header->counter) ||
        ((control & EXTENDED) != 0 && !take_extended(&of, header))) {
        return WM_ERR_MALFORMED;
    }
    header->len = of.at;
    return WM_OK;
}
