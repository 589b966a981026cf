/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio_stream.h
 *  The board's radio while a frame arrives or leaves. Every board has the same names. */
#ifndef BOARD_OPENMOTE_CC2538_RADIO_STREAM_H
#define BOARD_OPENMOTE_CC2538_RADIO_STREAM_H

#include "cpu.h"
#include "radio.h"

/** For wm_port_listens_at_once. Of the 213.6 us of wm_port_listen_ticks, 212 with ticks of 4 us, the
 *  radio takes 192. The rest is for the main loop: a turn of it (7.2 us at 32 MHz, if the CPU did not
 *  sleep), the way to the slot (5 us), tuning and the strobe (4.4 us). At 16 MHz it takes twice as
 *  long. */
static inline bool radio_listens_at_once(uint32_t clock_hz)
{
    return clock_hz == 32000000u;
}

/** Before the first radio_arrived. */
static inline void radio_stream_start(void)
{ /* the FIFO says by itself what it holds */
}

/* Octets that are worth the end of a sleep: the last ones come alone, for after a frame there is no
 * time. */
#define RADIO_LAST 4u
#define RADIO_OCTET_CYCLES 1024u /* 32 us at 32 MHz, and 64 us at 16 MHz: only a limit */

/* The CPU sleeps until so many octets are in the FIFO, which says so by FIFOP. SysTick ends the
 * sleep an octet later if they never come; its handler need not run. Edges end it too. */
static inline void radio_doze(uint8_t octets)
{
    cpu_irq_disable();
    const uint32_t masks = RFIRQM0;
    FIFOPCTRL = octets - 1u; /* FIFOP: there are more */
    RFIRQF0 = ~RFIRQ0_FIFOP & 0xFFu;
    RFIRQM0 = masks | RFIRQ0_FIFOP;
    SYST_RVR = (octets + 1u) * RADIO_OCTET_CYCLES;
    SYST_CVR = 0;
    SYST_CSR = SYST_ENABLE | SYST_TICKINT | SYST_CORE_CLOCK;
    if ((FSMSTAT1 & FSMSTAT1_FIFOP) == 0) {
        cpu_wait();
    }
    SYST_CSR = 0;
    ICSR = ICSR_PENDSTCLR;
    RFIRQM0 = masks;
    cpu_irq_enable();
}

/** Takes up to `most` octets that have arrived. Returns how many there were. If there is none, it
 *  sleeps first until most of them have come; not again after a sleep in which none came, so that a
 *  frame that stops is noticed as soon as without sleep. */
static inline uint8_t radio_arrived(uint8_t *to, uint8_t most)
{
    static bool stopped;
    uint8_t got = 0;
    if ((FSMSTAT1 & FSMSTAT1_FIFO) == 0 && !stopped) {
        radio_doze(most > RADIO_LAST ? (uint8_t)(most - RADIO_LAST) : most);
    }
    stopped = (FSMSTAT1 & FSMSTAT1_FIFO) == 0;
    while (got < most && (FSMSTAT1 & FSMSTAT1_FIFO) != 0) {
        to[got++] = rf_get_octet();
    }
    return got;
}

/** Receiver off; the FIFO and the edges that were noted stay. */
static inline void radio_receiver_off(void)
{
    rf_idle();
}

/** Appends to what radio_load loaded, also while it is sent.
 *  @retval false  too late */
static inline bool radio_load_more(const uint8_t *from, uint8_t len)
{
    rf_put(from, len);
    return !rf_ran_empty();
}

#endif
