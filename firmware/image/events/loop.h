/* SPDX-License-Identifier: BSD-3-Clause */
/** @file loop.h
 *  The event loop: what interrupt handlers and events post runs to completion, one event after the
 *  other; when nothing waits the CPU sleeps. The loop finds events on its rounds. */
#ifndef FIRMWARE_EVENTS_LOOP_H
#define FIRMWARE_EVENTS_LOOP_H

typedef enum loop_event { LOOP_TICK, LOOP_FRAME, LOOP_OPERATION, LOOP_EVENTS } loop_event;

#include "event_loop.h"

#endif
