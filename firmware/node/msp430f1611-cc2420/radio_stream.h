/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio_stream.h
 *  The radio of a node with a CC2420 while a frame arrives or leaves. Every board has the same
 *  names. */
#ifndef NODE_MSP430F1611_CC2420_RADIO_STREAM_H
#define NODE_MSP430F1611_CC2420_RADIO_STREAM_H

#include "cc2420_stream.h"
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
    cc2420_stream_start();
}

/** Takes up to `most` octets that have arrived. Returns how many there were. */
static inline uint8_t radio_arrived(uint8_t *to, uint8_t most)
{
    return cc2420_arrived(to, most);
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
