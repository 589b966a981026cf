/* SPDX-License-Identifier: BSD-3-Clause */
/** @file loop.h
 *  A loop with two priorities. Events run to completion. An urgent one, which a packet on the air
 *  waits for, runs before any other that waits; it never interrupts one. */
#ifndef FIRMWARE_TINYSEC_LOOP_H
#define FIRMWARE_TINYSEC_LOOP_H

/** In the order of their priority. */
typedef enum loop_event {
    LOOP_TAKE, /**< urgent: octets of a packet are there */
    LOOP_MAKE, /**< urgent: the channel is ours, a packet must be made */
    LOOP_RECEIVED,
    /** a packet is sent or given up, or the serial line has brought something */
    LOOP_SENT,
    LOOP_REST, /**< a rest that was asked for is over */
    LOOP_EVENTS
} loop_event;

#include "event_loop.h"

#endif
