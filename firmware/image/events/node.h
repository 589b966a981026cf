/* SPDX-License-Identifier: BSD-3-Clause */
/** @file node.h
 *  Functions that image `events` needs from a board: node_<board>.c. The interrupt handlers there
 *  call events_on_tick and events_on_radio and wake the loop. Frames are read by the names of the
 *  board's radio.h. */
#ifndef FIRMWARE_EVENTS_NODE_H
#define FIRMWARE_EVENTS_NODE_H

#include <stdbool.h>
#include <stdint.h>

/** Starts a tick of `hz`, a power of 2 from 2 to 1024; the CPU runs at `clock_hz`. */
void node_tick_start(uint32_t clock_hz, uint16_t hz);

/** For node_listen: frames that are not addressed to `address` in `pan`, or broadcast, are dropped
 *  by the radio. */
void node_recognise(uint16_t pan, uint16_t address);

/** Receiver on at `channel` (11..26), an interrupt for each frame received; with `stamp` further
 *  ones, whose handler notes the tick: TelosB's timer captures SFD at start and end, the CC2538
 *  interrupts at the start. */
void node_listen(uint8_t channel, bool stamp);

/** Stamps noted since the last node_stamps_drop, and forgets them. */
uint8_t node_stamps(void);
void node_stamps_drop(void);

/** Is there a frame to be read, or an overflow to be cleared? */
bool node_frame_ready(void);

/** Whether a frame found no room. Then the radio receives nothing until it is flushed. */
bool node_overflowed(void);

/** With interrupts disabled, which a pending one ends: sleeps until the next; returns with
 *  interrupts enabled. */
void node_sleep(void);

/** Of the image; with interrupts disabled. */
void events_on_tick(void);
void events_on_radio(void);

#endif
