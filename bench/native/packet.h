/* SPDX-License-Identifier: BSD-3-Clause */
/** @file packet.h
 *  Frames within the packets of other networks: ZEP over UDP, and Linux's cooked captures. */
#ifndef WARDMOTE_FRAMES_PACKET_H
#define WARDMOTE_FRAMES_PACKET_H

#include "psdu.h"

/** Finds the frame in a packet. `*end` becomes the offset of its end.
 *  @return FRAMES_FOREIGN: there is none in it; FRAMES_ZEP: lengths contradict each other */
frames_reason packet_read(const frames_job *job, const uint8_t *octets, psdu *found, uint32_t *end);

#endif
