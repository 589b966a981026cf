/* SPDX-License-Identifier: BSD-3-Clause */
/** @file protect.h
 *  IPsec of the node: protect_ipsec.c, or protect_none.c of the image without it. */
#ifndef IMAGE_IPSEC_NODE_PROTECT_H
#define IMAGE_IPSEC_NODE_PROTECT_H

#include <wardmote/counter_store.h>
#include <wardmote/ipv6_node.h>
#include "ipsec_node_block.h"

/** Makes SAs and policies of the block, and tells `node` of them. */
WM_NODISCARD wm_status protect_start(const ipsec_node_setup *setup, wm_counter_store *store,
                                     wm_ipv6_node *node);

#endif
