/* SPDX-License-Identifier: BSD-3-Clause */
/* The scheduler: a ring of links through the numbers of the tasks, and sleep when it is empty. */
#include "hal.h"

#define NONE 0xFFu

static action *body[TASKS];
static volatile uint8_t next[TASKS], first = NONE, last = NONE;
volatile uint16_t posts_refused;

void task_is(uint8_t number, action *run)
{
    body[number] = run;
    next[number] = NONE;
}

bool task_post(uint8_t number)
{
    atomic_t before = atomic_begin();
    bool free = next[number] == NONE && last != number;
    if (free) {
        if (first == NONE) {
            first = number;
        } else {
            next[last] = number;
        }
        last = number;
    } else {
        posts_refused++;
    }
    atomic_end(before);
    return free;
}

/* The deepest mode whose clocks are enough. GIE and the mode are set by one instruction, so that no
 * interrupt comes between. */
static void sleep(void)
{
    if (line_busy() || (TACCTL0 & CCIE)) {
        _BIS_SR(LPM0_bits | GIE);
    } else {
        _BIS_SR(LPM3_bits | GIE);
    }
    __nop();
    __dint();
}

_Noreturn void tasks_run(void)
{
    for (;;) {
        uint8_t now;
        __dint();
        while (first == NONE) {
            sleep();
        }
        now = first;
        first = next[now];
        if (first == NONE) {
            last = NONE;
        }
        next[now] = NONE;
        __eint();
        body[now]();
    }
}
