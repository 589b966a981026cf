/* SPDX-License-Identifier: BSD-3-Clause */
/** @file csma_ack.h
 *  When this node's own ack is on the air: what drivers of csma_radio.h share. */
#ifndef BOARD_CSMA_ACK_H
#define BOARD_CSMA_ACK_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ieee802154.h>
#include "tick.h"

/** An ack has 12 symbol periods of turnaround and 11 octets: 544 us. */
#define CSMA_ACK_TICKS 19u

/** The ack of the last frame that was taken. */
typedef struct csma_ack {
    uint16_t since; /**< when the frame was taken: later than its end */
    bool wanted;
} csma_ack;

/** A frame was taken whose first octet is `fcf`. */
static inline void csma_ack_begins(csma_ack *ack, uint8_t fcf)
{
    ack->wanted = (fcf & 0x20u) != 0 && (fcf & 7u) != WM_FRAME_ACK;
    ack->since = tick_now();
}

/** Whether the ack may still be on the air. */
static inline bool csma_ack_goes_on(csma_ack *ack)
{
    ack->wanted = ack->wanted && (uint16_t)(tick_now() - ack->since) < CSMA_ACK_TICKS;
    return ack->wanted;
}

#endif
