/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges of Timer_B's capture input that come at any instruction of the handler. The test assembles
 * the handler with a call of `step` before each instruction. An edge is made by software: the input
 * is switched from GND to VCC or back (SLAU049, 12.2.4), which captures as an edge of the pin
 * does. */
#include "cpu.h"
#include "registers.h"
#include "tick.h"

#define CCIS_GND 0x2000u
#define EDGES 8

/* Before which steps an edge comes, one bit a step; bit 0 is before the handler runs at all. The
 * test writes it into flash. */
const volatile uint32_t when[2] = {0, 0};

typedef struct edge {
    uint16_t tick, high, missed;
} edge;
volatile edge made[EDGES], told[EDGES];
volatile uint16_t made_count, told_count, done;
static volatile uint16_t steps;

void step(void);

/* Each edge has a tick of its own. */
static void make_edge(void)
{
    const uint16_t before = tick_now();
    uint16_t now = before;
    while (now == before) {
        now = tick_now();
    }
    TBCCTL1 ^= CCIS_B;
    made[made_count].tick = now;
    made[made_count].high = (TBCCTL1 & CCI) != 0;
    made_count++;
}

/* The handler comes here before each instruction, by `stepped` of the test, which keeps its
 * registers. */
void step(void)
{
    const uint16_t now = ++steps;
    if (now < 64 && (when[now / 32] >> now % 32 & 1u) != 0 && made_count < EDGES) {
        make_edge();
    }
}

int main(void)
{
    tick_edge found;
    DCOCTL = 0xE0; /* the fastest: a tick is long enough for what is done in it */
    BCSCTL1 |= RSEL_MASK;
    tick_start();
    tick_capture(true);
    TBCCTL1 |= CCIS_GND;
    if ((when[0] & 1u) != 0) {
        make_edge();
    }
    make_edge();
    cpu_irq_enable();
    __asm__ volatile("nop\n\tnop"); /* the handler runs until no edge is left */
    cpu_irq_disable();
    while (tick_edge_first(&found)) {
        told[told_count].tick = found.tick;
        told[told_count].high = found.high;
        told[told_count].missed = found.missed;
        told_count++;
        tick_edge_drop();
    }
    done = 1;
    cpu_stop();
}
