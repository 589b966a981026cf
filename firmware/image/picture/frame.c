/* SPDX-License-Identifier: BSD-3-Clause */
/* References: ZigBee specification 05-3474-22, 3.3.1 (NWK header), 2.2.5.1 (APS header). */
#include "frame.h"
#include <wardmote/octets.h>

#define MHR 9u
#define MHR_SEQUENCE 2u
#define NWK_DATA 0x0008u /* data, protocol version 2, no security */
#define NWK_TO 2u
#define NWK_FROM 4u
#define NWK_RADIUS 6u
#define NWK_SEQUENCE 7u
#define NWK 8u
#define APS_DATA 0x00u /* data to one endpoint, no security, no acknowledgement */
#define APS_TO 1u
#define APS_CLUSTER 2u
#define APS_PROFILE 4u
#define APS_FROM 6u
#define APS_COUNTER 7u
#define APS 8u
#define ENDPOINT 1u
#define PROFILE 0xC0DEu /* a manufacturer's own */
#define HOPS 1u

_Static_assert(MHR + NWK + APS == FRAME_HEAD, "the parts of the head");

bool frame_head(uint8_t frame[FRAME_HEAD], const picture_setup *setup)
{
    wm_mhr mhr = {0};
    uint8_t len;
    mhr.type = WM_FRAME_DATA;
    mhr.version = WM_VERSION_2003;
    mhr.ack_request = mhr.pan_id_compression = true;
    mhr.dst_pan = mhr.src_pan = setup->pan;
    mhr.dst.mode = mhr.src.mode = WM_ADDR_SHORT;
    wm_store_be16(mhr.dst.octet, setup->destination);
    wm_store_be16(mhr.src.octet, setup->address);
    if (wm_mhr_build(&mhr, frame, FRAME_HEAD, &len) != WM_OK || len != MHR) {
        return false;
    }
    uint8_t *nwk = frame + MHR, *aps = nwk + NWK;
    wm_store_le16(nwk, NWK_DATA);
    wm_store_le16(nwk + NWK_TO, setup->destination);
    wm_store_le16(nwk + NWK_FROM, setup->address);
    nwk[NWK_RADIUS] = HOPS;
    aps[0] = APS_DATA;
    aps[APS_TO] = aps[APS_FROM] = ENDPOINT;
    wm_store_le16(aps + APS_PROFILE, PROFILE);
    return true;
}

void frame_number(uint8_t frame[FRAME_HEAD], uint8_t frames, uint8_t packets, uint8_t cluster)
{
    frame[MHR_SEQUENCE] = frames;
    frame[MHR + NWK_SEQUENCE] = packets;
    wm_store_le16(frame + MHR + NWK + APS_CLUSTER, cluster);
    frame[MHR + NWK + APS_COUNTER] = packets;
}

bool frame_read(uint8_t *frame, uint8_t len, uint8_t at, uint16_t address, frame_packet *packet)
{
    const uint8_t *nwk = frame + at, *aps = nwk + NWK;
    const uint8_t head = (uint8_t)(at + NWK + APS), octets = (uint8_t)(len - head);
    if (len <= head || octets % PICTURE_BLOCK != 0 || octets > PICTURE_BLOCK * PICTURE_BLOCKS_MAX ||
        wm_load_le16(nwk) != NWK_DATA || wm_load_le16(nwk + NWK_TO) != address ||
        aps[0] != APS_DATA || aps[APS_TO] != ENDPOINT ||
        wm_load_le16(aps + APS_CLUSTER) > FRAME_DATA ||
        wm_load_le16(aps + APS_PROFILE) != PROFILE) {
        return false;
    }
    packet->data = frame + head;
    packet->len = octets;
    packet->from = wm_load_le16(nwk + NWK_FROM);
    packet->number = aps[APS_COUNTER];
    packet->cluster = aps[APS_CLUSTER];
    return packet->cluster != FRAME_BEGIN || packet->len == PICTURE_BLOCK;
}
