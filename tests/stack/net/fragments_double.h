/* SPDX-License-Identifier: BSD-3-Clause */
/** @file fragments_double.h
 *  Test double of what fragments call: who makes the octets of a packet, and who is told of packets
 *  that are dropped. */
#ifndef TESTS_STACK_NET_FRAGMENTS_DOUBLE_H
#define TESTS_STACK_NET_FRAGMENTS_DOUBLE_H

#include <wardmote/lowpan_fragments.h>

/** Makes every octet from `from` on its complement, in `packet`, which is the one that is sent. After
 *  `most` octets of the packet it answers WM_ERR_ENGINE. */
void fragments_double_makes(wm_lowpan_maker *maker, uint8_t *packet, uint16_t from, uint16_t most);

/** Octets that are made. */
uint16_t fragments_double_made(void);

/** Counts the packets that `reassembly` drops, and overwrites the first octet of each. */
void fragments_double_wire(wm_lowpan_reassembly *reassembly);

/** How many there were. */
uint8_t fragments_double_dropped(void);

/** Lets `reassembly` keep every packet whose first fragment it can write for the addresses of `onward`,
 *  with one hop less and in at most `room` octets. */
void fragments_double_passes(wm_lowpan_reassembly *reassembly, const wm_lowpan *net,
                             const wm_lowpan_link *onward, uint16_t room);

#endif
