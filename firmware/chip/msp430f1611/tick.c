/* SPDX-License-Identifier: BSD-3-Clause */
/* The tick counter and what its interrupts note; the handlers are in tick_isr.S. tick_edges is a
 * ring: the handler fills place `tick_edge_in`, the main loop empties `tick_edge_out`; each index
 * has one writer. Indices count octets, so that the handler need not scale them. */
#include "cpu.h"
#include "registers.h"
#include "tick.h"

#define CAPTURE (CM_BOTH | SCS | CAP | CCIE)
#define P4_CAPTURE_PIN 0x02u

/* Shared with tick_isr.S. An edge is the captured count and TBCCTL1 just after it. */
typedef struct raw_edge {
    uint16_t tick, control;
} raw_edge;
volatile raw_edge tick_edges[16];
volatile uint8_t tick_edge_in, tick_edge_out, tick_edge_lost, tick_alarm_fired;

void tick_start(void)
{
    P4SEL |= P4_CAPTURE_PIN;
    TBCCTL0 = 0;
    TBCCTL1 = 0;
    TBCTL = TSSEL_ACLK | MC_CONTINUOUS | TCLR;
}

/* ACLK and MCLK are not synchronised: a read during a count may return anything. Two equal reads
 * are right. */
uint16_t tick_now(void)
{
    uint16_t now, again = TBR;
    do {
        now = again;
        again = TBR;
    } while (now != again);
    return now;
}

bool tick_alarm(uint16_t tick)
{
    uint16_t sr = cpu_irq_save();
    tick_alarm_fired = 0;
    TBCCR0 = tick;
    TBCCTL0 = CCIE; /* clears CCIFG: a match before this line shows in the comparison below */
    bool ahead = (int16_t)(tick - tick_now()) > 0;
    if (!ahead) {
        TBCCTL0 = 0;
    }
    cpu_irq_restore(sr);
    return ahead;
}

bool tick_alarm_due(uint16_t *tick)
{
    *tick = TBCCR0;
    return tick_alarm_fired != 0;
}

void tick_alarm_clear(void)
{
    tick_alarm_fired = 0;
}

bool tick_alarm_armed(void)
{
    return (TBCCTL0 & CCIE) != 0; /* the handler clears it */
}

void tick_capture(bool on)
{
    uint16_t sr = cpu_irq_save();
    TBCCTL1 = on ? CAPTURE : 0;
    tick_edge_out = tick_edge_in;
    tick_edge_lost = 0;
    cpu_irq_restore(sr);
}

bool tick_edge_first(tick_edge *edge)
{
    uint8_t place = tick_edge_out;
    if (place == tick_edge_in) {
        return false;
    }
    const volatile raw_edge *raw = &tick_edges[place / sizeof(raw_edge)];
    edge->tick = raw->tick;
    edge->high = (raw->control & CCI) != 0;
    edge->missed = (raw->control & COV) != 0 || tick_edge_lost != 0;
    return true;
}

uint8_t tick_edges_kept(void)
{
    return (uint8_t)(((tick_edge_in - tick_edge_out) & (sizeof tick_edges - 1)) / sizeof(raw_edge));
}

void tick_edge_drop(void)
{
    tick_edge_lost = 0;
    tick_edge_out = (tick_edge_out + sizeof(raw_edge)) & (sizeof tick_edges - 1);
}

void tick_sleep(uint16_t mode)
{
    cpu_irq_disable();
    if (tick_alarm_fired == 0 && tick_edge_in == tick_edge_out) {
        cpu_sr_set(mode | SR_GIE);
    } else {
        cpu_irq_enable();
    }
}
