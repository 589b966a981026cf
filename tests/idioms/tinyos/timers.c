/* SPDX-License-Identifier: BSD-3-Clause */
/* Many timers on one compare register of a counter of 16 bits that goes round every two seconds. */
#include "hal.h"

#define TICKS_OF_MS(ms) ((uint16_t)((ms) * 32u)) /* ms are 1/1024 s, up to 2047 */

typedef struct timer {
    uint16_t from, length;
    bool runs, again;
    action *fired;
} timer;

static timer timers[TIMERS];

/* Before an edge of ACLK is over, the counter may read wrong: two readings have to agree. */
uint16_t timer_now(void)
{
    uint16_t now, same;
    do {
        now = TBR;
        same = TBR;
    } while (now != same);
    return now;
}

static void arm(void)
{
    uint16_t now = timer_now();
    uint16_t least = 0xFFFF;
    for (uint8_t i = 0; i < TIMERS; i++) {
        if (timers[i].runs) {
            uint16_t gone = now - timers[i].from;
            uint16_t left = gone >= timers[i].length ? 0 : timers[i].length - gone;
            least = left < least ? left : least;
        }
    }
    TBCCTL0 = 0;
    if (least == 0xFFFF) {
        return;
    }
    TBCCR0 = now + (least < 3 ? 3 : least);
    TBCCTL0 = CCIE;
}

static void due(void)
{
    uint16_t now = timer_now();
    for (uint8_t i = 0; i < TIMERS; i++) {
        timer *t = &timers[i];
        if (t->runs && (uint16_t)(now - t->from) >= t->length) {
            t->from += t->length; /* not `now`: a late task makes no timer late for good */
            t->runs = t->again;
            t->fired();
        }
    }
    arm();
}

void sig_timer_b0(void)
{
    task_post(TASK_TIMERS);
}

/* Capture of SFD shares its vector with what nobody uses: TBIV says which. */
void sig_timer_b1(void)
{
    switch (TBIV) {
    case 2:
        sig_sfd();
        break;
    default:
        _unexpected_();
    }
}

void timers_start(void)
{
    task_is(TASK_TIMERS, due);
}

static void start(uint8_t number, uint16_t ms, bool again, action *fired)
{
    timers[number] = (timer){timer_now(), TICKS_OF_MS(ms), true, again, fired};
    arm();
}

void timer_every(uint8_t number, uint16_t ms, action *fired)
{
    start(number, ms, true, fired);
}

void timer_once(uint8_t number, uint16_t ms, action *fired)
{
    start(number, ms, false, fired);
}

void timer_stop(uint8_t number)
{
    timers[number].runs = false;
}
