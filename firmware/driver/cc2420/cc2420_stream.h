/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_stream.h
 *  Both FIFOs of the CC2420 while their frame is on the air. */
#ifndef DRIVER_CC2420_STREAM_H
#define DRIVER_CC2420_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/** Reads `len` octets (1..127) of RXFIFO, or none if there are fewer. The receiver may be writing
 *  it. From now on FIFOP tells of so many. Of a frame that ends, no octet behind its end may be
 *  wanted.
 *  @return  octets read: `len` or 0 */
uint8_t cc2420_arrived(uint8_t *to, uint8_t len);

/** The same, octet by octet: up to `most` (1..127), as many as there are.
 *  @return  octets read */
uint8_t cc2420_trickled(uint8_t *to, uint8_t most);

/** Appends `len` octets, at least 1, to TXFIFO. The transmitter may be reading it.
 *  @retval false  TXFIFO has run empty: the frame was cut off, or will be */
bool cc2420_load_more(const uint8_t *from, uint8_t len);

#endif
