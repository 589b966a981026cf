/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pins.h
 *  Pins of TelosB, as bits of their ports: CSn P4.2, VREG_EN P4.5, RESETn P4.6, SLOT P6.0. The others are
 *  those of every node of this kind. */
#ifndef BOARD_TELOSB_PINS_H
#define BOARD_TELOSB_PINS_H

#define P4_CC2420_CSN 0x04u
#define P4_CC2420_VREG_EN 0x20u
#define P4_CC2420_RESETN 0x40u
#define P6_MARK_SLOT 0x01u

#endif
