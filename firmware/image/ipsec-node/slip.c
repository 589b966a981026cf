/* SPDX-License-Identifier: BSD-3-Clause */
#include "slip.h"
#include "line.h"

#define ESCAPE 0xDBu
#define ESCAPED_END 0xDCu
#define ESCAPED_ESCAPE 0xDDu

void slip_begin(slip_frame *frame)
{
    frame->len = 0;
    frame->escaped = frame->spoiled = false;
}

static slip_verdict end(slip_frame *frame)
{
    if (frame->spoiled || frame->escaped) {
        slip_begin(frame);
        return SLIP_SPOILED;
    }
    return frame->len == 0 ? SLIP_MORE : SLIP_WHOLE;
}

slip_verdict slip_take(slip_frame *frame, uint8_t octet)
{
    if (octet == SLIP_END) {
        return end(frame);
    }
    if (octet == ESCAPE && !frame->escaped) {
        frame->escaped = true;
        return SLIP_MORE;
    }
    if (frame->escaped) {
        frame->spoiled = frame->spoiled || (octet != ESCAPED_END && octet != ESCAPED_ESCAPE);
        octet = octet == ESCAPED_END ? SLIP_END : ESCAPE;
        frame->escaped = false;
    }
    if (frame->len == sizeof frame->octet) {
        frame->spoiled = true;
    } else {
        frame->octet[frame->len++] = octet;
    }
    return SLIP_MORE;
}

uint16_t slip_len(const uint8_t *octets, uint8_t len)
{
    uint16_t sum = len;
    for (uint8_t n = 0; n < len; n++) {
        sum = (uint16_t)(sum + (octets[n] == SLIP_END || octets[n] == ESCAPE));
    }
    return sum;
}

void slip_put(const uint8_t *octets, uint8_t len)
{
    for (uint8_t n = 0; n < len; n++) {
        if (octets[n] == SLIP_END || octets[n] == ESCAPE) {
            line_put(ESCAPE);
            line_put(octets[n] == SLIP_END ? ESCAPED_END : ESCAPED_ESCAPE);
        } else {
            line_put(octets[n]);
        }
    }
}

void slip_end(void)
{
    line_put(SLIP_END);
}
