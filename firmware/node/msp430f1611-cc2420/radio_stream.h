/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio_stream.h
 *  The radio of a node with a CC2420 while a frame arrives or leaves. Every board has the same
 *  names. */
#ifndef NODE_MSP430F1611_CC2420_RADIO_STREAM_H
#define NODE_MSP430F1611_CC2420_RADIO_STREAM_H

#include "cc2420_pins.h"
#include "cc2420_stream.h"
#include "cpu.h"
#include "radio.h"

/** For wm_port_listens_at_once: there are 21 us, and tuning alone takes 32 us at 8 MHz. */
static inline bool radio_listens_at_once(uint32_t clock_hz)
{
    (void)clock_hz;
    return false;
}

/** Before the first radio_arrived. */
static inline void radio_stream_start(void)
{
    P1IES &= (uint8_t)~P1_CC2420_FIFOP; /* its rise */
}

/* The CPU sleeps until FIFOP says that so many octets are in RXFIFO. Timer_A ends the sleep if they
 * never come: it counts ACLK, a tick of which is shorter than an octet (32 us). Edges and the alarm
 * end it too. */
static inline void radio_doze(uint8_t octets)
{
    cpu_irq_disable();
    P1IFG = 0;
    P1IE = P1_CC2420_FIFOP;
    if (cc2420_pin_fifop()) {
        cpu_irq_enable();
    } else {
        TACCR0 = octets + 1u;
        TACCTL0 = CCIE;
        TACTL = TSSEL_ACLK | MC_UP | TCLR;
        cpu_doze();
        TACTL = 0;
        TACCTL0 = 0;
    }
    P1IE = 0;
}

/** Takes `most` octets that have arrived, or fewer. Returns how many it took. The first call that
 *  finds fewer than `most` takes none and says so at once, for there may be work to do; the next
 *  sleeps until all have come; those after it take what there is, so that a frame that stops is
 *  noticed. */
static inline uint8_t radio_arrived(uint8_t *to, uint8_t most)
{
    static uint8_t empty; /* calls in a row that took none, 2 at most */
    if (empty == 1) {
        radio_doze(most);
    }
    uint8_t got = cc2420_arrived(to, most);
    if (got == 0 && empty != 0) {
        got = cc2420_trickled(to, most);
    }
    if (got != 0) {
        empty = 0;
    } else if (empty != 2) {
        empty++;
    }
    return got;
}

/** Receiver off; RXFIFO and the edges that were noted stay. */
static inline void radio_receiver_off(void)
{
    cc2420_idle();
}

/** Appends to what radio_load loaded, also while it is sent.
 *  @retval false  too late */
static inline bool radio_load_more(const uint8_t *from, uint8_t len)
{
    return cc2420_load_more(from, len);
}

#endif
