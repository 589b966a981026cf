/* SPDX-License-Identifier: BSD-3-Clause */
/** @file udp.h
 *  The node's two applications: an echo server on port 7 and on port 0xF0B7, which header
 *  compression likes best, and a client that asks one. */
#ifndef IMAGE_IPSEC_NODE_UDP_H
#define IMAGE_IPSEC_NODE_UDP_H

#include <wardmote/ipv6_node.h>
#include "ipsec_node_block.h"

/** Sets them up: `node` gets datagrams to them. */
void udp_start(const ipsec_node_setup *setup, wm_ipv6_node *node);

/** The alarm TIME_CLIENT is due. */
void udp_on_alarm(void);

#endif
