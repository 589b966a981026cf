/* SPDX-License-Identifier: BSD-3-Clause */
/* What a relay does with a packet in one frame: the IPv6 header is expanded and compressed again, and
 * nothing behind it is looked at.
 *
 * References: RFC 6282 3.2.2 (IIDs of the frame's addresses: on the next hop they are others), 4.2
 * (those of the headers behind are of the IPv6 header, and stay what they are). */
#include "../util/move.h"
#include "lowpan_parts.h"

wm_status wm_lowpan_read_front(const wm_lowpan *net, const wm_lowpan_link *link, const uint8_t *in,
                               uint16_t in_len, uint8_t ip[WM_IPV6_HEADER_LEN],
                               wm_lowpan_front *front)
{
    wm_lowpan_source source = {in, in_len};
    wm_lowpan_iids iids;
    wm_status status;

    if (!wm_lowpan_usable(net)) {
        return WM_ERR_PARAM;
    }
    if (in_len != 0 && (in[0] & WM_IPHC_DISPATCH_MASK) != WM_IPHC_DISPATCH) {
        return WM_ERR_NOT_FOR_US;
    }
    wm_lowpan_iids_of_link(link, &iids);
    status = wm_iphc_take(net, &iids, &source, ip, &front->nh);
    front->len = (uint16_t)(in_len - source.left);
    return status;
}

wm_status wm_lowpan_write_front(const wm_lowpan *net, const wm_lowpan_link *link,
                                const uint8_t ip[WM_IPV6_HEADER_LEN], const wm_lowpan_front *front,
                                const uint8_t *in, uint16_t in_len, uint8_t *out, uint16_t size,
                                uint16_t *len)
{
    wm_lowpan_sink sink = {out, size, false};
    wm_lowpan_iids iids;
    uint16_t rest;

    if (!wm_lowpan_usable(net) || front->len > in_len) {
        return WM_ERR_PARAM;
    }
    rest = (uint16_t)(in_len - front->len);
    wm_lowpan_iids_of_link(link, &iids);
    wm_iphc_put(net, &iids, ip, front->nh, &sink);
    if (sink.full || sink.left < rest) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    wm_move(sink.at, in + front->len, rest);
    *len = (uint16_t)(size - sink.left + rest);
    return WM_OK;
}
