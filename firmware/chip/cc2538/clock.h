/* SPDX-License-Identifier: BSD-3-Clause */
/** @file clock.h
 *  System clock from the 32 MHz crystal, 32 kHz clock from the 32 768 Hz crystal. */
#ifndef CHIP_CC2538_CLOCK_H
#define CHIP_CC2538_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/** May `hz` be given to clock_start? 32 MHz and 16 MHz: a slower clock is not ready in the
 *  turnaround. */
bool clock_valid(uint32_t hz);

/** Starts both crystals and switches to them; CPU, radio and security engine then run at `hz` (the
 *  radio's modem at 32 MHz always). Pads PD6 and PD7 become the crystal's. Takes as long as the
 *  slower crystal needs to start, up to a second; interrupts must be disabled.
 *  @retval false  a crystal does not start */
bool clock_start(uint32_t hz);

/** With interrupts disabled and radio and security engine idle: power mode 2, in which only the
 *  sleep timer and the upper half of RAM live on, until the sleep timer's compare value is reached;
 *  then back to the clock of before. That last step takes up to CLOCK_WAKE_TICKS. The registers of
 *  radio and security engine lose their contents: set them again. */
void clock_power_down(void);

/** Number of power downs so far. A driver compares it with the number at which it set its
 *  registers. */
extern uint32_t clock_power_downs;

/** 136 us from the timer to a running CPU, an edge of the 32 kHz clock, 0.3 ms for the crystal
 *  (data sheet, typical), and as much again. */
#define CLOCK_WAKE_TICKS 32

#endif
