/* SPDX-License-Identifier: BSD-3-Clause */
/* Every packet is expanded, for want of flash. */
#include "relay.h"

wm_status relay_frame(const wm_lowpan *net, const wm_ipv6_node *node, const link_frame *frame,
                      uint16_t own, relay_onward *onward, uint8_t *packet,
                      wm_lowpan_expanded *expanded)
{
    wm_lowpan_link link;
    (void)node;
    (void)own;
    onward->len = 0;
    relay_link(&link, frame->src, frame->dst);
    return wm_lowpan_expand(net, &link, frame->payload, frame->len, 0, packet, IPSEC_NODE_DATAGRAM,
                            expanded);
}
