/* SPDX-License-Identifier: BSD-3-Clause */
/** @file link.h
 *  Packets on a radio of octets: the start symbol, and carrier sense with the back-offs of TinyOS
 *  1.x for the CC1000.
 *
 *      preamble n x 0xAA | sync 0x33 0xCC | packet | flush: its last octet 4 times
 *
 *  A packet waits 1..32 octet times before the channel is looked at, and 1..16 each time it is found
 *  in use: both are drawn evenly and never grow. Only times in which nothing is received count, and
 *  a packet is received to its end, for whomever it is. The channel is clear when one of five
 *  measurements in a row finds it so, and in use when a preamble comes between them. */
#ifndef FIRMWARE_TINYSEC_LINK_H
#define FIRMWARE_TINYSEC_LINK_H

#include <stdbool.h>
#include <stdint.h>

/** Octets that may wait for LOOP_TAKE; a power of 2. A packet whose octets wait longer is lost. */
#define LINK_RING 16u

/** Begins to listen. The radio runs. */
void link_start(void);

/** Asks for the channel. LOOP_MAKE is posted when it is ours; LOOP_SENT, when the packet is sent or
 *  given up.
 *  @retval false  a packet waits already */
bool link_send(void);

/** For LOOP_MAKE: the packet, which stays as it is until LOOP_SENT. 0 octets: there is none. */
void link_packet(const uint8_t *packet, uint8_t octets);

/** For LOOP_TAKE: the next octet of the packet that is coming in.
 *  @retval false  none waits */
bool link_take(uint8_t *octet, bool *begins);

/** No more of the packet is wanted. The link listens for the next one when this one has ended.
 *  @param octets  of the whole packet; 0: nobody knows, and the link listens at once */
void link_taken(uint8_t octets);

/** Posts LOOP_REST after as many octet times; at least 1. */
void link_rest(uint8_t octets);

#endif
