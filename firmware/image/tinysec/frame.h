/* SPDX-License-Identifier: BSD-3-Clause */
/** @file frame.h
 *  A packet of TinyOS or TinySec as payload of a data frame of IEEE 802.15.4-2003. This framing is our
 *  own: TinySec was never released for radios of 802.15.4.
 *
 *      0x41 0x88 | sequence 1 | PAN 2 | dst 2 | src 2 | 0x3D | packet | FCS 2
 *
 *  0x8841 is a data frame, not secured, no acknowledgement, both addresses short, one PAN. The PAN is
 *  the node's group, so that a TinySec packet, which has no group, is of one on the air too. dst is
 *  that of the packet, src the node's address. 0x3D stands where 6LoWPAN has its dispatch (RFC 4944,
 *  5.1: 00xxxxxx is not a LoWPAN frame), so that no node takes a packet for what it is not.
 *
 *  The frame protects nothing: the packet's tag covers dst, type and length of the packet. A receiver
 *  takes no field of the header for true but to drop what is not for it. */
#ifndef FIRMWARE_TINYSEC_FRAME_H
#define FIRMWARE_TINYSEC_FRAME_H

#include <stdint.h>
#include "protect.h"

#define FRAME_HEAD 10u /**< octets before the packet */
#define FRAME_FCS 2u
#define FRAME_MAX (FRAME_HEAD + PROTECT_MOST) /**< without FCS */

/** The octets before `packet`, which begins with dst. */
void frame_head(uint8_t head[FRAME_HEAD], const uint8_t *packet, uint8_t sequence);

/** Where in a frame of `octets`, without FCS, its packet is: FRAME_HEAD.
 *  @retval 0  it is no frame with a packet of this group */
uint8_t frame_packet(const uint8_t *frame, uint8_t octets);

#endif
