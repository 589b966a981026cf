/* SPDX-License-Identifier: BSD-3-Clause */
/** @file flash.h
 *  Two pages of flash, 0x0027E000 to 0x0027EFFF, as a medium for counters (wardmote/counter_store.h):
 *  segments of 2048 octets that are written in words. No image lies there (link.ld).
 *
 *  A page is erased in 20 ms, a word takes 20 us (SWRS096, from memory). The code that waits lies in
 *  RAM, with interrupts disabled. */
#ifndef CHIP_CC2538_FLASH_H
#define CHIP_CC2538_FLASH_H

#include <stdint.h>
#include <wardmote/port/counter_port.h>

/** Before every use of the port. */
static inline void flash_start(uint32_t hz)
{
    (void)hz; /* the controller has a clock of its own */
}

/** `medium` is not looked at. */
extern const wm_counter_port flash_pages;

/** Where counters lie, by the name that every chip has. */
#define FLASH_COUNTERS flash_pages

#endif
