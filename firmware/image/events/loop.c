/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop.h"
#include "board.h"
#include "node.h"
#include <stdint.h>

volatile bool loop_posted[LOOP_EVENTS];

/* One round. A flag is cleared first: what is posted while its event runs is found on the next
 * round. */
static bool go_round(const loop_handlers *handlers)
{
    bool found = false;
    for (uint8_t event = 0; event < LOOP_EVENTS; event++) {
        if (loop_posted[event]) {
            loop_posted[event] = false;
            handlers->handle[event]();
            found = true;
        }
    }
    return found;
}

static bool anything_posted(void)
{
    bool posted = false;
    for (uint8_t event = 0; event < LOOP_EVENTS; event++) {
        posted |= loop_posted[event];
    }
    return posted;
}

_Noreturn void loop_run(const loop_handlers *handlers)
{
    cpu_irq_enable();
    for (;;) {
        if (!go_round(handlers)) {
            cpu_irq_disable();
            if (anything_posted()) {
                cpu_irq_enable();
            } else {
                node_sleep();
            }
        }
    }
}
