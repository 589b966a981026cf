/* SPDX-License-Identifier: BSD-3-Clause */
/** @file border.h
 *  6LoWPAN of the stack for a border router: what the payloads of MAC frames stand for, and what
 *  packets become. All memory is one border_state of the caller; numbers are of this machine. */
#ifndef WARDMOTE_BORDER_H
#define WARDMOTE_BORDER_H

#include <stdint.h>
#include <wardmote/lowpan_fragments.h>

#define BORDER_SLOTS 32     /**< packets put together at a time */
#define BORDER_PER_SENDER 4 /**< of one sender */

/** Everything of one border router. */
typedef struct border_state {
    wm_lowpan net;
    wm_lowpan_context contexts[WM_LOWPAN_CONTEXTS];
    wm_lowpan_reassembly reassembly;
    wm_lowpan_slot slots[BORDER_SLOTS];
    wm_lowpan_sending sending;
    uint8_t rooms[BORDER_SLOTS][WM_LOWPAN_DATAGRAM_MAX];
    uint8_t packet[WM_LOWPAN_SIZE_MAX]; /**< on its way to the air */
} border_state;

/** What a network has agreed on. */
typedef struct border_setup {
    uint8_t prefix[WM_LOWPAN_CONTEXTS][WM_IPV6_ADDR_LEN];
    uint8_t prefix_len[WM_LOWPAN_CONTEXTS]; /**< bits; 0: there is no such context */
    uint8_t context_count;
    uint8_t ipsec; /**< wm_lowpan_ipsec_layout */
    uint16_t spare;
    uint32_t timeout_ms; /**< of a packet that is not whole */
} border_setup;

/** Addresses of a MAC frame, most significant octet first. */
typedef struct border_link {
    uint8_t src[8], dst[8];
    uint8_t src_len, dst_len; /**< 2 or 8 */
} border_link;

/** Octets of a border_state. */
uint32_t border_octets(void);

/** Begins: nothing is being put together. */
void border_start(border_state *state, const border_setup *setup);

/** Takes the payload of a MAC frame. `*packet_len` octets in `packet`, of WM_LOWPAN_DATAGRAM_MAX,
 *  are the packet that is whole now; 0: fragments are missing.
 *  @return a wm_status */
int border_expand(border_state *state, const border_link *link, const uint8_t *payload,
                  uint16_t len, uint32_t now_ms, uint8_t *packet, uint16_t *packet_len);

/** Takes a packet and writes the payload of its first frame, of at most `size` octets.
 *  @return a wm_status */
int border_compress(border_state *state, const border_link *link, const uint8_t *packet,
                    uint16_t len, uint16_t tag, uint8_t *payload, uint16_t size,
                    uint16_t *payload_len);

/** Writes the payload of the next frame of that packet; `*payload_len` is 0 when there is none. */
int border_compress_next(border_state *state, uint8_t *payload, uint16_t size,
                         uint16_t *payload_len);

#endif
