/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a packet for another node the IPv6 header alone is expanded, and compressed again. */
#include "relay.h"
#include <wardmote/octets.h>

#define HOPS_AT 7u

/* What a frame carries, a fragment header left out. */
typedef struct carried {
    const uint8_t *octets;
    uint16_t len;
    bool to_all;
} carried;

/* Makes what goes on to another node; false if it is not for one, or does not fit any more. */
static bool pass(const relay_node *relay, const carried *in, relay_onward *onward, uint8_t *ip,
                 const wm_lowpan_front *front)
{
    wm_lowpan_link link;
    if (!wm_ipv6_passes(relay->node, ip, in->to_all, &onward->next)) {
        return false;
    }
    ip[HOPS_AT]--;
    relay_link(&link, relay->own, onward->next);
    if (wm_lowpan_write_front(relay->net, &link, ip, front, in->octets, in->len, onward->out,
                              onward->size, &onward->len) != WM_OK) {
        ip[HOPS_AT]++;
        onward->len = 0;
    }
    return onward->len != 0;
}

wm_status relay_frame(const relay_node *relay, const link_frame *frame, relay_onward *onward,
                      uint8_t *packet, wm_lowpan_expanded *expanded)
{
    const carried in = {frame->payload, frame->len, frame->dst == WM_CSMA_BROADCAST};
    wm_lowpan_front front;
    wm_lowpan_link link;
    onward->len = 0;
    relay_link(&link, frame->src, frame->dst);
    wm_status status = wm_lowpan_read_front(relay->net, &link, in.octets, in.len, packet, &front);
    if (status == WM_ERR_NOT_FOR_US) { /* a packet that is not compressed */
        return wm_lowpan_expand(relay->net, &link, in.octets, in.len, 0, packet,
                                IPSEC_NODE_DATAGRAM, expanded);
    }
    if (status != WM_OK || pass(relay, &in, onward, packet, &front)) {
        return status;
    }
    return wm_lowpan_expand_rest(relay->net, &front, in.octets, in.len, packet, IPSEC_NODE_DATAGRAM,
                                 expanded);
}

static uint16_t pass_first(void *context, const wm_lowpan_link *link, const uint8_t *octets,
                           uint16_t len, wm_lowpan_slot *slot)
{
    const relay_node *relay = context;
    const carried in = {octets, len, wm_load_be16(link->dst.octet) == WM_CSMA_BROADCAST};
    relay_onward onward = {.out = slot->packet};
    uint8_t ip[WM_IPV6_HEADER_LEN];
    wm_lowpan_front front;
    (void)link_payload(&onward.size);
    onward.size = (uint8_t)(onward.size - WM_LOWPAN_FRAG1_LEN);
    if (slot->total < onward.size) {
        onward.size = (uint8_t)slot->total;
    }
    if (wm_lowpan_read_front(relay->net, link, octets, len, ip, &front) != WM_OK ||
        !pass(relay, &in, &onward, ip, &front)) {
        return 0;
    }
    slot->kept.least = (uint16_t)(WM_IPV6_HEADER_LEN + len - front.len);
    slot->kept.next = onward.next;
    return onward.len;
}

uint16_t (*const relay_pass)(void *context, const wm_lowpan_link *link, const uint8_t *in,
                             uint16_t len, wm_lowpan_slot *slot) = pass_first;

wm_status relay_send_kept(wm_lowpan_sending *sending, const uint8_t *packet, uint16_t total,
                          const wm_lowpan_kept *kept, uint16_t tag, uint8_t *frame, uint16_t size,
                          uint16_t *frame_len)
{
    return wm_lowpan_send_kept(sending, packet, total, kept, tag, frame, size, frame_len);
}
