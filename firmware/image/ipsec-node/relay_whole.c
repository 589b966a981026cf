/* SPDX-License-Identifier: BSD-3-Clause */
/* Every packet is expanded, for want of flash. */
#include "relay.h"

wm_status relay_frame(const relay_node *relay, const link_frame *frame, relay_onward *onward,
                      uint8_t *packet, wm_lowpan_expanded *expanded)
{
    wm_lowpan_link link;
    onward->len = 0;
    relay_link(&link, frame->src, frame->dst);
    return wm_lowpan_expand(relay->net, &link, frame->payload, frame->len, 0, packet,
                            IPSEC_NODE_DATAGRAM, expanded);
}

uint16_t (*const relay_pass)(void *context, const wm_lowpan_link *link, const uint8_t *in,
                             uint16_t len, wm_lowpan_slot *slot) = NULL;

wm_status relay_send_kept(wm_lowpan_sending *sending, const uint8_t *packet, uint16_t total,
                          const wm_lowpan_kept *kept, uint16_t tag, uint8_t *frame, uint16_t size,
                          uint16_t *frame_len)
{
    (void)sending;
    (void)packet;
    (void)total;
    (void)kept;
    (void)tag;
    (void)frame;
    (void)size;
    (void)frame_len;
    return WM_ERR_STATE;
}
