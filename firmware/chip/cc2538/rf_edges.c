/* SPDX-License-Identifier: BSD-3-Clause */
/* The radio's interrupts. Edges are stamped in the interrupt handler with the sleep timer: the
 * handler begins less than a microsecond after the edge, as nothing here disables interrupts for
 * longer, so the tick is wrong only if it ends just then. They wait in a ring: the handler fills
 * place `edge_in`, the main loop empties `edge_out`; each index has one writer. */
#include "cpu.h"
#include "rf.h"
#include "tick.h"

#define EDGES 8u /* a power of 2 */

static rf_edge edges[EDGES];
static volatile uint8_t edge_in, edge_out;

void isr_rf(void);

static void note(uint16_t tick, bool start)
{
    uint8_t next = (edge_in + 1u) % EDGES;
    if (next != edge_out) { /* full, because no edge was read: the newest is dropped */
        edges[edge_in] = (rf_edge){tick, start};
        edge_in = next;
    }
}

/* Flags are cleared by writing 0; writing 1 leaves one that was set meanwhile. */
void isr_rf(void)
{
    uint16_t tick = tick_now();
    uint32_t flags0 = RFIRQF0;
    uint32_t flags1 = RFIRQF1;
    RFIRQF0 = ~flags0 & 0xFFu;
    RFIRQF1 = ~flags1 & 0xFFu;
    if ((flags0 & RFIRQ0_SFD) != 0) {
        note(tick, true);
    }
    if ((flags0 & RFIRQ0_RXPKTDONE) != 0 || (flags1 & RFIRQ1_TXDONE) != 0) {
        note(tick, false);
    }
}

void rf_edges(bool on)
{
    uint32_t mask = cpu_irq_save();
    RFIRQM0 = on ? RFIRQ0_SFD | RFIRQ0_RXPKTDONE : 0;
    RFIRQM1 = on ? RFIRQ1_TXDONE : 0;
    RFIRQF0 = 0;
    RFIRQF1 = 0;
    NVIC_ICPR(IRQ_RF) = NVIC_BIT(IRQ_RF);
    edge_out = edge_in;
    cpu_irq_restore(mask);
}

bool rf_edge_first(rf_edge *edge)
{
    uint8_t place = edge_out;
    if (place == edge_in) {
        return false;
    }
    cpu_memory_changes(); /* the place was filled before edge_in moved */
    *edge = edges[place];
    return true;
}

void rf_edge_drop(void)
{
    edge_out = (edge_out + 1u) % EDGES;
}
