/* SPDX-License-Identifier: BSD-3-Clause */
/** @file flash.h
 *  The information memory, 0x1000 to 0x10FF, as a medium for counters (wardmote/counter_store.h):
 *  two segments of 128 octets. An image that is set up by a block in information memory (image
 *  `slot`) has no room for it there.
 *
 *  Times, with the timing generator at 257..476 kHz: a word takes 35 of its cycles, 74 to 136 us, a
 *  segment is erased in 4819, 10 to 19 ms. The CPU stands still that long, with interrupts
 *  disabled. Guaranteed are 10^4 erasures of a segment, typical are 10^5. (SLAS368, "Flash Memory",
 *  from memory; SLAS648E, page 49, prints the same for a flash of this kind.) A block of 64 octets
 *  is programmed for 3.7 ms at most between two erasures; permitted are 4 ms (from memory). The
 *  supply must be at least 2.7 V; a board whose supply falls slowly has to watch it before it
 *  programs. */
#ifndef CHIP_MSP430F1611_FLASH_H
#define CHIP_MSP430F1611_FLASH_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/port/counter_port.h>

/** Sets the timing generator for SMCLK = `hz`, CLOCK_MIN_HZ..CLOCK_MAX_HZ of clock.h. Before every
 *  use of the port. */
void flash_start(uint32_t hz);

/** Information memory. `medium` is not looked at. */
extern const wm_counter_port flash_information;

/** Where counters lie, by the name that every chip has. */
#define FLASH_COUNTERS flash_information

#endif
