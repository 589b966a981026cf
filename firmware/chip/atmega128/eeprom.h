/* SPDX-License-Identifier: BSD-3-Clause */
/** @file eeprom.h
 *  The EEPROM as a medium for counters (wardmote/counter_store.h): its first 192 octets, two
 *  segments of 96. An octet takes 8.5 ms to write (Atmel 2467, "EEPROM Write Access"), so a record
 *  takes 0.1 s and an erasure up to 0.8 s. Interrupts are served meanwhile, but for a few cycles an
 *  octet. Guaranteed are 10^5 writes of an octet. The supply must not fall while an octet is
 *  written: the octet then reads as anything. */
#ifndef CHIP_ATMEGA128_EEPROM_H
#define CHIP_ATMEGA128_EEPROM_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/port/counter_port.h>

/** `medium` is not looked at. */
extern const wm_counter_port eeprom_counters;

/** Whether all of the counters' octets are as a chip's erasure leaves them. */
bool eeprom_is_erased(void);

#endif
