/* SPDX-License-Identifier: BSD-3-Clause */
/** @file net.h
 *  Packets of the node: 6LoWPAN, IPv6, and what is to be sent. */
#ifndef IMAGE_IPSEC_NODE_NET_H
#define IMAGE_IPSEC_NODE_NET_H

#include <wardmote/ipv6_node.h>
#include "ipsec_node_block.h"
#include "link.h"

/** Sets it up; `node` is, too. `tag` is that of the first packet that goes in fragments.
 *  @retval WM_ERR_PARAM  the block has values that cannot be */
WM_NODISCARD wm_status net_start(const ipsec_node_setup *setup, wm_ipv6_node *node, uint16_t tag);

/** Takes the payload of a frame. */
void net_take(const link_frame *frame);

/** The alarm TIME_FRAGMENTS is due. */
void net_on_alarm(void);

/** Room for a packet of this node's own, IPSEC_NODE_DATAGRAM octets; NULL while there is none. */
uint8_t *net_room(void);

/** Sends the packet in that room; 0 octets: it is not to be sent. */
void net_send(uint16_t len, uint16_t next);

#endif
