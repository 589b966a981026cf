/* SPDX-License-Identifier: BSD-3-Clause */
/** @file line.h
 *  The serial line of a border mote: 8 data bits, no parity, one stop bit, and room for what waits in
 *  both directions. */
#ifndef IMAGE_IPSEC_NODE_LINE_H
#define IMAGE_IPSEC_NODE_LINE_H

#include <stdbool.h>
#include <stdint.h>

/** Starts it.
 *  @retval false  `baud` cannot be made of a clock of `clock_hz` within 1 %, or leaves less than 600
 *                 cycles for an octet */
bool line_start(uint32_t clock_hz, uint32_t baud);

/** Has an octet come that line_take did not give yet? */
bool line_waits(void);

/** The next octet that came; only if line_waits. */
uint8_t line_take(void);

/** Octets that there is room for. */
uint16_t line_room(void);

/** Sends an octet behind those that wait. Only if there is room. */
void line_put(uint8_t octet);

/** Octets that were lost, since they came faster than they were taken. */
uint16_t line_overruns(void);

#endif
