/* SPDX-License-Identifier: BSD-3-Clause */
/** @file event_loop.h
 *  What the event loops of images share. An image's loop.h says which events there are, as enum
 *  loop_event with LOOP_EVENTS at its end, and then includes this file; its loop.c says in which
 *  order they run. An event is a flag: posting takes the same time always. */
#ifndef FIRMWARE_EVENT_LOOP_H
#define FIRMWARE_EVENT_LOOP_H

#include <stdbool.h>

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
