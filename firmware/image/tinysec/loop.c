/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop.h"
#include "cpu.h"
#include "link.h"
#include <stdint.h>

volatile bool loop_posted[LOOP_EVENTS];

/* The first event that waits; LOOP_EVENTS if none does. */
static uint8_t first(void)
{
    uint8_t event = 0;
    while (event < LOOP_EVENTS && !loop_posted[event]) {
        event++;
    }
    return event;
}

_Noreturn void loop_run(const loop_handlers *handlers)
{
    cpu_irq_enable();
    for (;;) {
        link_step();
        uint8_t event = first();
        if (event < LOOP_EVENTS) {
            loop_posted[event] =
                false; /* what is posted while it runs is found in the next round */
            handlers->handle[event]();
            continue;
        }
        cpu_irq_disable();
        if (first() < LOOP_EVENTS || link_waits()) {
            cpu_irq_enable();
        } else {
            cpu_doze(); /* enables interrupts in the same step */
        }
    }
}
