/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/counter_cells_port.h
 *  What counter_cells.h asks of a medium whose octets are written one at a time, each to any value,
 *  without an erasure: an EEPROM, FRAM.
 *
 *  Power may fail while an octet is written: that octet then reads as anything at all, the same each
 *  time, until it is written again. No other octet changes. */
#ifndef WARDMOTE_PORT_COUNTER_CELLS_PORT_H
#define WARDMOTE_PORT_COUNTER_CELLS_PORT_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** The octet at address `at`. */
uint8_t wm_port_cells_read(uint16_t at);

/** Writes it, and returns when the medium has done so. The caller reads it back. */
void wm_port_cells_write(uint16_t at, uint8_t octet);

WM_C_END

#endif
