/* SPDX-License-Identifier: BSD-3-Clause */
/** @file frames.h
 *  Receiving with one buffer: while its frame has not been handled, later ones stay in the
 *  radio. */
#ifndef FIRMWARE_EVENTS_FRAMES_H
#define FIRMWARE_EVENTS_FRAMES_H

/** The radio's interrupt; with interrupts disabled. */
void frames_on_radio(void);

/** Event LOOP_FRAME. */
void frames_handle(void);

#endif
