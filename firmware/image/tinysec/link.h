/* SPDX-License-Identifier: BSD-3-Clause */
/** @file link.h
 *  Packets on a radio, link_cc1000.c or link_cc2420.c.
 *
 *  On a CC1000, which gives and takes octets, it is the start symbol, and carrier sense with the
 *  back-offs of TinyOS 1.x.
 *
 *      preamble n x 0xAA | sync 0x33 0xCC | packet | flush: its last octet 4 times
 *
 *  A packet waits 1..32 octet times before the channel is looked at, and 1..16 each time it is found
 *  in use: both are drawn evenly and never grow. Only times in which nothing is received count, and
 *  a packet is received to its end, for whomever it is. The channel is clear when one of five
 *  measurements in a row finds it so, and in use when a preamble comes between them.
 *
 *  On a CC2420 a packet is the payload of a frame (frame.h) on channel 26. Carrier sense is unslotted
 *  CSMA-CA (IEEE 802.15.4-2006, 7.5.1.4): a back-off of 0..2^BE - 1 periods of 320 us, BE 3 at first,
 *  and 4, then 5, when the channel was found in use. Departs: there is no limit of tries. The packet
 *  is made before: making it takes longer than most back-offs, so that one that counted meanwhile
 *  would part nobody. An octet time is that of the CC1000, 0.42 ms. */
#ifndef FIRMWARE_TINYSEC_LINK_H
#define FIRMWARE_TINYSEC_LINK_H

#include <stdbool.h>
#include <stdint.h>

/** Octets that may wait for LOOP_TAKE; a power of 2. A packet whose octets wait longer is lost. */
#define LINK_RING 16u

/** The pins, and the CPU's clock: before anything else.
 *  @retval false  there is no such clock */
bool link_boot(void);

/** Starts the radio, and what tells the time.
 *  @retval false  no radio answers */
bool link_open(void);

/** Begins to listen. The radio runs. */
void link_start(void);

/** Asks for the channel. LOOP_MAKE is posted when it is ours, or the packet is wanted before; LOOP_SENT,
 *  when the packet is sent or given up.
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

/** Time in units of the report (tinysec_block.h), modulo 2^32. */
uint32_t link_now(void);

/** What the loop calls on each round: what has happened on the radio, and what is due. */
void link_step(void);

/** With interrupts disabled: whether link_step would find something. */
bool link_waits(void);

#endif
