/* SPDX-License-Identifier: BSD-3-Clause */
#include "border.h"

#include <string.h>

/* The two dispatches of RFC 4944 5.3, without the datagram_size in their last three bits. */
#define FRAGMENT_MASK 0xF8
#define FRAGMENT_FIRST 0xC0
#define FRAGMENT_NEXT 0xE0

static wm_lowpan_link link_of(const border_link *link)
{
    wm_lowpan_link found = {.src.len = link->src_len, .dst.len = link->dst_len};
    memcpy(found.src.octet, link->src, sizeof found.src.octet);
    memcpy(found.dst.octet, link->dst, sizeof found.dst.octet);
    return found;
}

uint32_t border_octets(void)
{
    return sizeof(border_state);
}

void border_start(border_state *state, const border_setup *setup)
{
    memset(state, 0, sizeof *state);
    for (uint8_t i = 0; i < WM_LOWPAN_CONTEXTS; i++) {
        memcpy(state->contexts[i].prefix, setup->prefix[i], WM_IPV6_ADDR_LEN);
        state->contexts[i].prefix_len = setup->prefix_len[i];
    }
    state->net = (wm_lowpan){
        .contexts = state->contexts, .context_count = setup->context_count, .ipsec = setup->ipsec};
    for (uint8_t i = 0; i < BORDER_SLOTS; i++) {
        state->slots[i].packet = state->rooms[i];
    }
    state->reassembly = (wm_lowpan_reassembly){.slots = state->slots,
                                               .timeout = setup->timeout_ms,
                                               .size = WM_LOWPAN_DATAGRAM_MAX,
                                               .count = BORDER_SLOTS,
                                               .per_sender = BORDER_PER_SENDER};
}

int border_expand(border_state *state, const border_link *link, const uint8_t *payload,
                  uint16_t len, uint32_t now_ms, uint8_t *packet, uint16_t *packet_len)
{
    const wm_lowpan_link addresses = link_of(link);
    const uint8_t dispatch = len > 0 ? payload[0] & FRAGMENT_MASK : 0;
    *packet_len = 0;
    if (dispatch != FRAGMENT_FIRST && dispatch != FRAGMENT_NEXT) {
        wm_lowpan_expanded expanded;
        const wm_status status = wm_lowpan_expand(&state->net, &addresses, payload, len, 0, packet,
                                                  WM_LOWPAN_DATAGRAM_MAX, &expanded);
        *packet_len = status == WM_OK ? expanded.len : 0;
        return status;
    }
    const uint8_t *whole = NULL;
    uint16_t whole_len = 0;
    const wm_status status = wm_lowpan_reassemble(&state->reassembly, &state->net, &addresses,
                                                  payload, len, now_ms, &whole, &whole_len);
    if (status == WM_OK && whole != NULL) {
        memcpy(packet, whole, whole_len);
        *packet_len = whole_len;
    }
    return status;
}

int border_compress(border_state *state, const border_link *link, const uint8_t *packet,
                    uint16_t len, uint16_t tag, uint8_t *payload, uint16_t size,
                    uint16_t *payload_len)
{
    const wm_lowpan_link addresses = link_of(link);
    *payload_len = 0;
    if (len > sizeof state->packet) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    memcpy(state->packet, packet, len);
    return wm_lowpan_send(&state->sending, &state->net, &addresses, state->packet, len, false, tag,
                          payload, size, payload_len);
}

int border_compress_next(border_state *state, uint8_t *payload, uint16_t size,
                         uint16_t *payload_len)
{
    return wm_lowpan_send_next(&state->sending, payload, size, payload_len);
}
