/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets cut into fragments.
 *
 * References: RFC 4944 5.3 (fragment headers); RFC 6282 2 (the compressed headers are all in the
 * first fragment, and sizes are those before compression). Every fragment but the last covers a
 * multiple of 8 octets of the packet. */
#include <wardmote/lowpan_fragments.h>
#include <wardmote/octets.h>
#include "lowpan_parts.h"

#define FRAG1 0xC000u
#define FRAGN 0xE000u
#define WHOLE_UNITS 0xFFF8u

/* Room for the fragment header in front of what was written. */
static void move_up(uint8_t *frame, uint16_t len)
{
    while (len-- != 0) {
        frame[len + WM_LOWPAN_FRAG1_LEN] = frame[len];
    }
}

static void put_header(uint8_t *frame, uint16_t kind, const wm_lowpan_sending *sending)
{
    wm_store_be16(frame, (uint16_t)(kind | sending->len));
    wm_store_be16(frame + 2, sending->tag);
}

/* The octets up to `end` are what they are to be. */
static wm_status made(const wm_lowpan_sending *sending, uint16_t end)
{
    const wm_lowpan_maker *maker = sending->maker;
    return maker == NULL ? WM_OK : maker->make(maker->context, sending->packet, end);
}

/* The first fragment of a packet whose compressed headers are in the frame. */
static wm_status send_first(wm_lowpan_sending *sending, const wm_lowpan_headers *done,
                            uint8_t *frame, uint16_t size, uint16_t *frame_len)
{
    const uint32_t headers = (uint32_t)done->compressed + WM_LOWPAN_FRAG1_LEN;
    uint16_t end; /* octets of the packet with this fragment */
    wm_status status;

    if (headers > size || sending->len > WM_LOWPAN_SIZE_MAX) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    /* The whole packet does not fit, so this is less than its length. */
    end = (uint16_t)((done->packet + (size - headers)) & WHOLE_UNITS);
    if (end < done->packet) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    status = made(sending, end);
    if (status != WM_OK) {
        return status;
    }
    move_up(frame, done->compressed);
    put_header(frame, FRAG1, sending);
    wm_lowpan_copy(frame + headers, sending->packet + done->packet, (uint16_t)(end - done->packet));
    sending->at = end;
    *frame_len = (uint16_t)(headers + end - done->packet);
    return WM_OK;
}

wm_status wm_lowpan_send_made(wm_lowpan_sending *sending, const wm_lowpan_maker *maker,
                              const wm_lowpan *net, const wm_lowpan_link *link,
                              const uint8_t *packet, uint16_t len, bool elide_checksum,
                              uint16_t tag, uint8_t *frame, uint16_t size, uint16_t *frame_len)
{
    wm_lowpan_headers done;
    wm_status status =
        wm_lowpan_compress(net, link, packet, len, elide_checksum, frame, size, &done);
    uint16_t rest;

    if (status != WM_OK) {
        return status;
    }
    *sending = (wm_lowpan_sending){maker, packet, len, len, tag};
    rest = (uint16_t)(len - done.packet);
    if (rest > size - done.compressed) {
        return send_first(sending, &done, frame, size, frame_len);
    }
    status = made(sending, len);
    if (status != WM_OK) {
        return status;
    }
    wm_lowpan_copy(frame + done.compressed, packet + done.packet, rest);
    *frame_len = (uint16_t)(done.compressed + rest);
    return WM_OK;
}

wm_status wm_lowpan_send(wm_lowpan_sending *sending, const wm_lowpan *net,
                         const wm_lowpan_link *link, const uint8_t *packet, uint16_t len,
                         bool elide_checksum, uint16_t tag, uint8_t *frame, uint16_t size,
                         uint16_t *frame_len)
{
    return wm_lowpan_send_made(sending, NULL, net, link, packet, len, elide_checksum, tag, frame,
                               size, frame_len);
}

wm_status wm_lowpan_send_kept(wm_lowpan_sending *sending, const uint8_t *packet, uint16_t total,
                              const wm_lowpan_kept *kept, uint16_t tag, uint8_t *frame,
                              uint16_t size, uint16_t *frame_len)
{
    const uint16_t len = (uint16_t)(WM_LOWPAN_FRAG1_LEN + kept->first);
    uint16_t more =
        (uint16_t)(total - kept->from - 1u); /* the last octet is not in the first one */

    if (len > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (more > size - len) {
        more = (uint16_t)(size - len);
    }
    more &= WHOLE_UNITS;
    *sending = (wm_lowpan_sending){NULL, packet, total, (uint16_t)(kept->from + more), tag};
    put_header(frame, FRAG1, sending);
    wm_lowpan_copy(frame + WM_LOWPAN_FRAG1_LEN, packet, kept->first);
    wm_lowpan_copy(frame + len, packet + kept->from, more);
    *frame_len = (uint16_t)(len + more);
    return WM_OK;
}

wm_status wm_lowpan_send_next(wm_lowpan_sending *sending, uint8_t *frame, uint16_t size,
                              uint16_t *frame_len)
{
    uint16_t n = (uint16_t)(sending->len - sending->at);
    wm_status status;

    *frame_len = 0;
    if (n == 0) {
        return WM_OK;
    }
    if (size < WM_LOWPAN_FRAGN_LEN + 8u) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (n > size - WM_LOWPAN_FRAGN_LEN) {
        n = (uint16_t)((size - WM_LOWPAN_FRAGN_LEN) & WHOLE_UNITS);
    }
    status = made(sending, (uint16_t)(sending->at + n));
    if (status != WM_OK) {
        return status;
    }
    put_header(frame, FRAGN, sending);
    frame[4] = (uint8_t)(sending->at >> 3);
    wm_lowpan_copy(frame + WM_LOWPAN_FRAGN_LEN, sending->packet + sending->at, n);
    sending->at = (uint16_t)(sending->at + n);
    *frame_len = (uint16_t)(WM_LOWPAN_FRAGN_LEN + n);
    return WM_OK;
}
