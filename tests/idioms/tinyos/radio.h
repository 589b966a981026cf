/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio.h
 *  The radio of the TelosB, in ticks of ACLK. */
#ifndef IDIOMS_TINYOS_RADIO_H
#define IDIOMS_TINYOS_RADIO_H

#include "../frames.h"

typedef struct radio_times {
    uint16_t least, most;
} radio_times;

extern volatile radio_times air; /**< while SFD was high for a frame of ours */
extern volatile radio_times gap; /**< from there until SFD rose for its acknowledgement */

/** A frame with a right FCS, without it. */
void radio_heard(const uint8_t *frame, uint8_t length);

#endif
