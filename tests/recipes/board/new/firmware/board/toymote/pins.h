/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pins.h
 *  Pins of Toymote, as bits of their ports: CSn P4.3, VREG_EN P4.6, RESETn P4.5, SLOT P6.1. The others are
 *  those of every node of this kind. */
#ifndef BOARD_TOYMOTE_PINS_H
#define BOARD_TOYMOTE_PINS_H

#define P4_CC2420_CSN 0x08u
#define P4_CC2420_VREG_EN 0x40u
#define P4_CC2420_RESETN 0x20u
#define P6_MARK_SLOT 0x02u

#endif
