/* SPDX-License-Identifier: BSD-3-Clause */
/** @file relay.h
 *  Packets for other nodes. */
#ifndef IMAGE_IPSEC_NODE_RELAY_H
#define IMAGE_IPSEC_NODE_RELAY_H

#include <wardmote/ipv6_node.h>
#include <wardmote/lowpan_fragments.h>
#include "link.h"

/** What the next hop's frame carries. */
typedef struct relay_onward {
    uint8_t *out; /**< of `size` octets */
    uint8_t size;
    uint16_t len;  /**< of `out`; 0: the packet was expanded */
    uint16_t next; /**< short address of the next hop */
} relay_onward;

/** Who relays. */
typedef struct relay_node {
    const wm_lowpan *net;
    const wm_ipv6_node *node;
    uint16_t own; /**< short address */
} relay_node;

/** Either makes what goes on to another node, or expands the packet, at `packet` of
 *  IPSEC_NODE_DATAGRAM octets, which is worked in either way.
 *  @return as wm_lowpan_expand */
wm_status relay_frame(const relay_node *relay, const link_frame *frame, relay_onward *onward,
                      uint8_t *packet, wm_lowpan_expanded *expanded);

/** `pass` of wm_lowpan_reassembly, whose context is a relay_node; NULL: this image puts every packet
 *  together. */
extern uint16_t (*const relay_pass)(void *context, const wm_lowpan_link *link, const uint8_t *in,
                                    uint16_t len, wm_lowpan_slot *slot);

/** wm_lowpan_send_kept, of a packet that relay_pass has passed. */
wm_status relay_send_kept(wm_lowpan_sending *sending, const uint8_t *packet, uint16_t total,
                          const wm_lowpan_kept *kept, uint16_t tag, uint8_t *frame, uint16_t size,
                          uint16_t *frame_len);

/** Short addresses of a frame, as 6LoWPAN takes them. */
void relay_link(wm_lowpan_link *link, uint16_t src, uint16_t dst);

#endif
