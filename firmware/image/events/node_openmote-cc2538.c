/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMote-CC2538: the tick is SysTick, a frame is the radio's interrupt FIFOP. This takes the
 * place of rf_edges.c: the radio interrupts when a frame is there, not at its start and end. */
#include "board.h"
#include "node.h"
#include "registers.h"
#include "rf.h"
#include "tick.h"

void isr_systick(void);
void isr_rf(void);

void isr_systick(void)
{
    events_on_tick();
}

#define STAMPS 16u /* a power of 2 */

static volatile uint16_t stamp[STAMPS];
static volatile uint8_t stamps;
static bool stamping;

/* Flags are cleared by writing 0; writing 1 leaves one that was set meanwhile. */
void isr_rf(void)
{
    uint32_t flags = RFIRQF0;
    RFIRQF0 = ~flags & 0xFFu;
    if ((flags & RFIRQ0_SFD) != 0 && stamping) {
        stamp[stamps % STAMPS] = tick_now();
        stamps++;
    }
    if ((flags & RFIRQ0_FIFOP) != 0) {
        events_on_radio();
    }
}

void rf_edges(bool on)
{
    RFIRQM0 = on ? RFIRQ0_FIFOP | (stamping ? RFIRQ0_SFD : 0) : 0;
    RFIRQM1 = 0;
    RFIRQF0 = 0;
    RFIRQF1 = 0;
    NVIC_ICPR(IRQ_RF) = NVIC_BIT(IRQ_RF);
}

void node_tick_start(uint32_t clock_hz, uint16_t hz)
{
    SYST_RVR = clock_hz / hz - 1u;
    SYST_CVR = 0;
    SYST_CSR = SYST_ENABLE | SYST_TICKINT | SYST_CORE_CLOCK;
}

void node_recognise(uint16_t pan, uint16_t address)
{
    rf_recognise(pan, address, false);
}

void node_listen(uint8_t channel, bool stamp_frames)
{
    rf_tune(channel);
    stamping = stamp_frames;
    rf_edges(true);
    rf_listen();
}

uint8_t node_stamps(void)
{
    return stamps;
}

void node_stamps_drop(void)
{
    stamps = 0;
}

bool node_frame_ready(void)
{
    return (FSMSTAT1 & FSMSTAT1_FIFOP) != 0;
}

bool node_overflowed(void)
{
    return (FSMSTAT1 & (FSMSTAT1_FIFOP | FSMSTAT1_FIFO)) == FSMSTAT1_FIFOP;
}

void node_sleep(void)
{
    cpu_wait();
    cpu_irq_enable();
}
