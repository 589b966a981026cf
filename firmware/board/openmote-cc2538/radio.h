/* SPDX-License-Identifier: BSD-3-Clause */
/** @file radio.h
 *  The board's radio as the strategies of image `slot` use it. Every board has the same names. */
#ifndef BOARD_OPENMOTE_CC2538_RADIO_H
#define BOARD_OPENMOTE_CC2538_RADIO_H

#include "rf.h"

/** Bit of the second of the two octets in place of a received FCS. */
#define RADIO_FCS_RIGHT RF_FCS_RIGHT

/** Replaces what the radio will send: length octet `psdu_len` (FCS included), `head_len` octets (at
 *  least 1) of `head` and `tail_len` (0 or more) of `tail`. The radio adds the FCS. */
static inline void radio_load(uint8_t psdu_len, const uint8_t *head, uint8_t head_len,
                              const uint8_t *tail, uint8_t tail_len)
{
    rf_begin(psdu_len);
    rf_put(head, head_len);
    rf_put(tail, tail_len);
}

/** Next octet of what was received: at the start of a frame, its length. */
static inline uint8_t radio_read_octet(void)
{
    return rf_get_octet();
}

/** Next `len` octets (1..127). */
static inline void radio_read(uint8_t *to, uint8_t len)
{
    rf_get(to, len);
}

/** Drops what was received. */
static inline void radio_flush_rx(void)
{
    rf_flush_rx();
}

#endif
