/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pins.h
 *  Crystal and pins of the ATmega1281 with a CC2420: wired as the MICAz, whose pins both chips have in
 *  the same places. */
#ifndef BOARD_ATMEGA1281_CC2420_PINS_H
#define BOARD_ATMEGA1281_CC2420_PINS_H

#define CPU_HZ 8000000
#define USART_BAUD 38400L /* 38 462 */

#include "cc2420_wires.h"

#endif
