/* SPDX-License-Identifier: BSD-3-Clause */
/** @file rf.h
 *  The CC2538's radio: frames and when they start and end. Frames carry no FCS here: the radio
 *  makes it, and says of a received one whether it was right. */
#ifndef CHIP_CC2538_RF_H
#define CHIP_CC2538_RF_H

#include <stdbool.h>
#include <stdint.h>
#include "registers.h"

#define RF_CHANNEL_FIRST 11
#define RF_CHANNEL_LAST 26

/** Clocks, registers, interrupt. Afterwards: off, channel 11.
 *  @retval false  the radio does not keep what is written */
bool rf_start(void);

/** Whether rf_wake can restore everything that the radio holds. */
bool rf_may_power_down(void);

/** After clock_power_down. */
void rf_wake(void);

/** Transmitter and receiver off, `channel` (11..26) set, transmit FIFO empty. */
void rf_tune(uint8_t channel);

/** Empties the receive FIFO, then receiver on. */
void rf_listen(void);

/** Sends the frame in the transmit FIFO: the first preamble symbol comes 12 symbol periods (192 us)
 *  later. The receive FIFO is emptied; after the frame the receiver is on. */
void rf_send(void);

/** From now on the radio drops frames, of any version, that are neither for the node `address` of
 *  `pan` nor broadcast. With `acknowledge` it acknowledges those for that node that ask for it, 12
 *  symbol periods after their end. */
void rf_recognise(uint16_t pan, uint16_t address, bool acknowledge);

/** From now on a channel with -81 dBm or more is in use. After reset nearly every one is. */
void rf_sense_channel(void);

/** As rf_send, if the channel is clear, but the receive FIFO stays as it is, and the frame stays in
 *  the transmit FIFO.
 *  @retval false  the channel is in use, or the radio sends already: nothing was done */
bool rf_send_clear(void);

/** Transmitter and receiver off. The FIFOs keep what they hold. */
void rf_idle(void);

void rf_flush_rx(void);

extern bool rf_loaded; /**< the transmit FIFO may hold a frame to be sent */

/** Replaces the contents of the transmit FIFO: length octet `psdu_len` (all that goes on air, FCS
 *  included). The octets but for the FCS follow by rf_put, in one piece or several. What an earlier
 *  frame that ran empty left in rf_ran_empty is gone. */
static inline void rf_begin(uint8_t psdu_len)
{
    RFST = RFST_ISFLUSHTX;
    RFERRF = RFERRF_ALL & ~RFERRF_TXUNDERF;
    RFDATA = psdu_len;
    rf_loaded = true;
}

/** Whether the frame that was begun last had fewer octets than it needed when the radio sent them. */
static inline bool rf_ran_empty(void)
{
    return (RFERRF & RFERRF_TXUNDERF) != 0;
}

/** Empties the transmit FIFO. */
static inline void rf_unload(void)
{
    RFST = RFST_ISFLUSHTX;
    rf_loaded = false;
}

/** Appends `len` octets (0..125) to the transmit FIFO. */
void rf_put(const uint8_t *from, uint8_t len);

/** Next octet of the receive FIFO: at the start of a frame, its length. */
static inline uint8_t rf_get_octet(void)
{
    return (uint8_t)RFDATA;
}

/** Next `len` octets (0..127) of the receive FIFO. */
void rf_get(uint8_t *to, uint8_t len);

/** The two octets in place of the FCS: RSSI, then FCS right | correlation. */
#define RF_FCS_RIGHT 0x80u

/** The end of SFD, or the end of the last octet, of a frame sent or received. */
typedef struct rf_edge {
    uint16_t tick;
    bool start;
} rf_edge;

/** Edges are kept while on. Turning it on or off forgets what was kept. */
void rf_edges(bool on);

/** The oldest edge kept.
 *  @retval false  none */
bool rf_edge_first(rf_edge *edge);

/** Forgets the oldest edge. */
void rf_edge_drop(void);

#endif
