/* SPDX-License-Identifier: BSD-3-Clause */
/** @file csma_double.h
 *  Test double of port/csma_port.h: a board whose channel is clear when the test says so, and that
 *  notes what the MAC asks of it. */
#ifndef TESTS_STACK_LINK_CSMA_DOUBLE_H
#define TESTS_STACK_LINK_CSMA_DOUBLE_H

#include <wardmote/csma.h>

/** What csma_double_noted tells. */
typedef enum csma_double_what {
    CSMA_DOUBLE_ALARM, /**< symbol periods of the alarm that was armed last */
    CSMA_DOUBLE_ALARMS,
    CSMA_DOUBLE_LOADED, /**< octets of the frame that was loaded last */
    CSMA_DOUBLE_ARMED,  /**< alarms that had been armed before it was loaded */
    CSMA_DOUBLE_TRIED,  /**< how often the channel was looked at */
    CSMA_DOUBLE_SENT,
    CSMA_DOUBLE_DONE,
    CSMA_DOUBLE_RESULT, /**< of the last frame that was done */
    CSMA_DOUBLE_WHATS
} csma_double_what;

/** Nothing is noted yet, and the channel is clear. */
void csma_double_begin(void);

/** Whether the channel is clear from now on. */
void csma_double_clear(uint8_t clear);

uint16_t csma_double_noted(uint8_t what);

#endif
