/* SPDX-License-Identifier: BSD-3-Clause */
/** @file loop.h
 *  The event loop: what interrupt handlers and events post runs to completion, one event after the
 *  other; when nothing waits the CPU sleeps. An event is a flag, which the loop finds on its
 *  rounds: posting takes the same time always. */
#ifndef FIRMWARE_EVENTS_LOOP_H
#define FIRMWARE_EVENTS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

typedef enum loop_event { LOOP_TICK, LOOP_FRAME, LOOP_OPERATION, LOOP_EVENTS } loop_event;

/** What each event does, with interrupts enabled. */
typedef struct loop_handlers {
    void (*handle[LOOP_EVENTS])(void);
} loop_handlers;

extern volatile bool loop_posted[LOOP_EVENTS];

/** Posts an event, also from a handler. If the event waits already, nothing changes. */
static inline void loop_post(loop_event event)
{
    loop_posted[event] = true;
}

/** Enables interrupts and runs for ever. */
_Noreturn void loop_run(const loop_handlers *handlers);

#endif
