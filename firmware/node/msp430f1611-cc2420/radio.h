/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio.h
 *  The radio of a node with a CC2420, as the strategies of image `slot` use it. Every board has the same names. */
#ifndef NODE_MSP430F1611_CC2420_RADIO_H
#define NODE_MSP430F1611_CC2420_RADIO_H

#include "cc2420.h"

/** Bit of the second of the two octets in place of a received FCS. */
#define RADIO_FCS_RIGHT CC2420_FCS_RIGHT

/** Replaces what the radio will send: length octet `psdu_len` (FCS included), `head_len` octets (at
 *  least 1) of `head` and `tail_len` (0 or more) of `tail`. The radio adds the FCS. */
static inline void radio_load(uint8_t psdu_len, const uint8_t *head, uint8_t head_len,
                              const uint8_t *tail, uint8_t tail_len)
{
    cc2420_load(psdu_len, head, head_len, tail, tail_len);
}

/** Next octet of what was received: at the start of a frame, its length. */
static inline uint8_t radio_read_octet(void)
{
    return cc2420_read_octet();
}

/** Next `len` octets (1..127). */
static inline void radio_read(uint8_t *to, uint8_t len)
{
    cc2420_read(to, len);
}

/** Drops what was received. */
static inline void radio_flush_rx(void)
{
    cc2420_flush_rx();
}

#endif
