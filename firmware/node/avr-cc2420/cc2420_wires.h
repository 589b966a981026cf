/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_wires.h
 *  Pins of the MICAz, as bits of their ports: LEDs that light while their pin is low, and the CC2420.
 *  It is on the SPI, with CSn PB0; SFD is on ICP1. */
#ifndef NODE_AVR_CC2420_CC2420_WIRES_H
#define NODE_AVR_CC2420_CC2420_WIRES_H

#define PA_LEDS 0x07u /* red 2, green 1, yellow 0 */
#define PA_CC2420_VREG_EN 0x20u
#define PA_CC2420_RESETN 0x40u
#define PB_CC2420_CSN 0x01u
#define PB_CC2420_FIFO 0x80u
#define PD_CC2420_SFD 0x10u
#define PD_CC2420_CCA 0x40u
#define PE_CC2420_FIFOP 0x40u

#endif
