/* SPDX-License-Identifier: BSD-3-Clause */
/** @file frames.h
 *  What the programs of all boards send each other: data frames from node 1 to node 2, PAN 0x0022,
 *  short addresses, acknowledgement asked for. Their payload has a type, the number of the frame and
 *  16 octets that follow from it. */
#ifndef IDIOMS_FRAMES_H
#define IDIOMS_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#define RADIO_FRAMES 5
#define RADIO_FRAME 27 /**< octets, without FCS */
#define RADIO_RECEIVER 2

static inline void radio_fill(uint8_t frame[RADIO_FRAME], uint8_t self, uint8_t number)
{
    const uint8_t head[11] = {0x61, 0x88, number, 0x22, 0,     RADIO_RECEIVER,
                              0,    self, 0,      0x3F, number};
    for (uint8_t i = 0; i < RADIO_FRAME; i++) {
        frame[i] = i < 11 ? head[i] : (uint8_t)(number * 7u + i * 11u);
    }
}

/** Whether it is frame `number` of node 1. */
static inline bool radio_is(const uint8_t *frame, uint8_t length, uint8_t number)
{
    uint8_t wanted[RADIO_FRAME];
    radio_fill(wanted, 1, number);
    bool same = length == RADIO_FRAME;
    for (uint8_t i = 0; same && i < RADIO_FRAME; i++) {
        same = frame[i] == wanted[i];
    }
    return same;
}

static inline bool radio_is_ack(const uint8_t *frame, uint8_t length, uint8_t number)
{
    return length == 3 && frame[0] == 2 && frame[1] == 0 && frame[2] == number;
}

#endif
