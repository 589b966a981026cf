/* SPDX-License-Identifier: BSD-3-Clause */
/** @file relay.h
 *  Packets that came in one frame. */
#ifndef IMAGE_IPSEC_NODE_RELAY_H
#define IMAGE_IPSEC_NODE_RELAY_H

#include <wardmote/ipv6_node.h>
#include <wardmote/lowpan.h>
#include "link.h"

/** What the next hop's frame carries. */
typedef struct relay_onward {
    uint8_t *out; /**< of `size` octets */
    uint8_t size;
    uint16_t len;  /**< of `out`; 0: the packet was expanded */
    uint16_t next; /**< short address of the next hop */
} relay_onward;

/** Either makes what goes on to another node, or expands the packet, at `packet` of
 *  IPSEC_NODE_DATAGRAM octets, which is worked in either way.
 *  @param own  short address of this node
 *  @return as wm_lowpan_expand */
wm_status relay_frame(const wm_lowpan *net, const wm_ipv6_node *node, const link_frame *frame,
                      uint16_t own, relay_onward *onward, uint8_t *packet,
                      wm_lowpan_expanded *expanded);

/** Short addresses of a frame, as 6LoWPAN takes them. */
void relay_link(wm_lowpan_link *link, uint16_t src, uint16_t dst);

#endif
