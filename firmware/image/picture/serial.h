/* SPDX-License-Identifier: BSD-3-Clause */
/** @file serial.h
 *  Octets of the serial line, both ways, by handlers (usart.h). */
#ifndef IMAGE_PICTURE_SERIAL_H
#define IMAGE_PICTURE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#define SERIAL_ROOM 128u /**< octets that wait, each way */

void serial_start(void);

/** Octets that have come and were not taken. */
uint8_t serial_have(void);

/** Takes `len` octets, which are there. */
void serial_take(uint8_t *to, uint8_t len);

/** Gives `len` octets, up to SERIAL_ROOM, and waits until there is room for them. */
void serial_give(const uint8_t *from, uint8_t len);

#endif
