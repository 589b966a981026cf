/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pins.h
 *  Crystal and pins of the MICAz. */
#ifndef BOARD_MICAZ_PINS_H
#define BOARD_MICAZ_PINS_H

#define CPU_HZ 7372800
#define USART_BAUD 57600L /* without error */

#include "cc2420_wires.h"

#endif
