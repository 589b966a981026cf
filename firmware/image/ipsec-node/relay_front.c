/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a packet for another node the IPv6 header alone is expanded, and compressed again. */
#include "relay.h"

#define HOPS_AT 7u

/* Makes what goes on to another node; false if it is not for one, or does not fit any more. */
static bool pass(const wm_lowpan *net, const wm_ipv6_node *node, const link_frame *frame,
                 uint16_t own, relay_onward *onward, uint8_t *ip, const wm_lowpan_front *front)
{
    wm_lowpan_link link;
    if (!wm_ipv6_passes(node, ip, frame->dst == WM_CSMA_BROADCAST, &onward->next)) {
        return false;
    }
    ip[HOPS_AT]--;
    relay_link(&link, own, onward->next);
    if (wm_lowpan_write_front(net, &link, ip, front, frame->payload, frame->len, onward->out,
                              onward->size, &onward->len) != WM_OK) {
        ip[HOPS_AT]++;
        onward->len = 0;
    }
    return onward->len != 0;
}

wm_status relay_frame(const wm_lowpan *net, const wm_ipv6_node *node, const link_frame *frame,
                      uint16_t own, relay_onward *onward, uint8_t *packet,
                      wm_lowpan_expanded *expanded)
{
    wm_lowpan_front front;
    wm_lowpan_link link;
    onward->len = 0;
    relay_link(&link, frame->src, frame->dst);
    wm_status status = wm_lowpan_read_front(net, &link, frame->payload, frame->len, packet, &front);
    if (status == WM_ERR_NOT_FOR_US) { /* a packet that is not compressed */
        return wm_lowpan_expand(net, &link, frame->payload, frame->len, 0, packet,
                                IPSEC_NODE_DATAGRAM, expanded);
    }
    if (status != WM_OK || pass(net, node, frame, own, onward, packet, &front)) {
        return status;
    }
    return wm_lowpan_expand_rest(net, &front, frame->payload, frame->len, packet,
                                 IPSEC_NODE_DATAGRAM, expanded);
}
