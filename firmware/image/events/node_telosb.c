/* SPDX-License-Identifier: BSD-3-Clause */
/* TelosB: the tick is Timer_A counting ACLK up to CCR0, which needs no code to go on; a frame is
 * FIFOP at P1.0, FIFO at P1.3 tells an overflow; stamps are tick.c's. The handlers are in
 * node_telosb_isr.S. */
#include "board.h"
#include "cc2420.h"
#include "node.h"
#include "registers.h"
#include "tick.h"

#define P1_FIFOP 0x01u
#define P1_FIFO 0x08u

/* ACLK counts, whatever the CPU's clock is. */
void node_tick_start(uint32_t clock_hz, uint16_t hz)
{
    (void)clock_hz;
    TACTL = TSSEL_ACLK | TCLR;
    TACCR0 = (uint16_t)(CLOCK_ACLK_HZ / hz - 1u);
    TACCTL0 = CCIE;
    TACTL = TSSEL_ACLK | MC_UP;
}

void node_recognise(uint16_t pan, uint16_t address)
{
    cc2420_recognise(pan, address, false);
}

void node_listen(uint8_t channel, bool stamp)
{
    cc2420_tune(channel);
    tick_capture(stamp);
    P1IES = 0;
    P1IFG = 0;
    P1IE = P1_FIFOP;
    cc2420_listen();
}

uint8_t node_stamps(void)
{
    return tick_edges_kept();
}

void node_stamps_drop(void)
{
    tick_edge edge;
    while (tick_edge_first(&edge)) {
        tick_edge_drop();
    }
}

bool node_frame_ready(void)
{
    return (P1IN & P1_FIFOP) != 0;
}

bool node_overflowed(void)
{
    return (P1IN & (P1_FIFOP | P1_FIFO)) == P1_FIFOP;
}

/* The handlers clear SR_CPUOFF of what they return to. */
void node_sleep(void)
{
    cpu_sr_set(SR_LPM0 | SR_GIE);
}
