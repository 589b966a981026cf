/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio_stream.h
 *  The board's radio while a frame arrives or leaves. Every board has the same names. */
#ifndef BOARD_OPENMOTE_CC2538_RADIO_STREAM_H
#define BOARD_OPENMOTE_CC2538_RADIO_STREAM_H

#include "radio.h"

/** For wm_port_listens_at_once. Of the 213.6 us of wm_port_listen_ticks the radio takes 192. The rest
 *  is for the main loop: a turn of it (7.2 us at 32 MHz, if the CPU did not sleep), the way to the
 *  slot (5 us), tuning and the strobe (4.4 us). At 16 MHz it takes twice as long. */
static inline bool radio_listens_at_once(uint32_t clock_hz)
{
    return clock_hz == 32000000u;
}

/** Before the first radio_arrived. */
static inline void radio_stream_start(void)
{ /* the FIFO says by itself what it holds */
}

/** Takes up to `most` octets that have arrived. Returns how many there were. */
static inline uint8_t radio_arrived(uint8_t *to, uint8_t most)
{
    uint8_t got = 0;
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
    return (RFERRF & RFERRF_TXUNDERF) == 0;
}

#endif
