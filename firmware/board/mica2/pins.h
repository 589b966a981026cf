/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pins.h
 *  Crystal and pins of the Mica2: the CC1000's configuration wires on port D, its data line on the SPI, RSSI on
 *  ADC0, LEDs that light while their pin is low on port A. */
#ifndef BOARD_MICA2_PINS_H
#define BOARD_MICA2_PINS_H

#include "registers.h"

#define CPU_HZ 7372800
#define USART_BAUD 57600L /* without error */

#define CC1000_IN PIND
#define CC1000_DIR DDRD
#define CC1000_OUT PORTD
#define CC1000_PALE 0x10u
#define CC1000_PCLK 0x40u
#define CC1000_PDATA 0x80u
#define CC1000_RSSI 0u /* input of the ADC, with AREF as reference */

#define LED_OUT PORTA
#define LED_DIR DDRA
#define LED_YELLOW 0x01u
#define LED_GREEN 0x02u
#define LED_RED 0x04u

#endif
