/* SPDX-License-Identifier: BSD-3-Clause */
#include "frame.h"
#include <wardmote/octets.h>
#include "tinysec_block.h"

#define CONTROL 0x8841u
#define DISPATCH 0x3Du
#define SEQUENCE_AT 2u
#define PAN_AT 3u
#define DST_AT 5u
#define SRC_AT 7u
#define DISPATCH_AT 9u

void frame_head(uint8_t head[FRAME_HEAD], const uint8_t *packet, uint8_t sequence)
{
    wm_store_le16(head, CONTROL);
    head[SEQUENCE_AT] = sequence;
    wm_store_le16(head + PAN_AT, tinysec_setup_block.group);
    wm_store_le16(head + DST_AT, wm_load_le16(packet));
    wm_store_le16(head + SRC_AT, tinysec_setup_block.address);
    head[DISPATCH_AT] = DISPATCH;
}

uint8_t frame_packet(const uint8_t *frame, uint8_t octets)
{
    return octets > FRAME_HEAD && wm_load_le16(frame) == CONTROL &&
                   wm_load_le16(frame + PAN_AT) == tinysec_setup_block.group &&
                   frame[DISPATCH_AT] == DISPATCH
               ? FRAME_HEAD
               : 0;
}
