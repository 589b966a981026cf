/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ahead.h
 *  IPsec at work while fragments come in and go out: ahead_pieces.c, or ahead_whole.c of images that
 *  secure every packet as a whole. */
#ifndef IMAGE_IPSEC_NODE_AHEAD_H
#define IMAGE_IPSEC_NODE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <wardmote/ipsec.h>
#include <wardmote/lowpan_fragments.h>

/** Begins with `yes`, as the block says: it works ahead. */
void ahead_start(bool yes);

/** wm_ipsec_secure and wm_ipsec_unsecure, or what takes their place. */
WM_NODISCARD wm_status ahead_secure(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len);
WM_NODISCARD wm_status ahead_unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len);

/** Of a packet for this node, with `total` octets when it is whole, the first `have` are there.
 *  @retval false  nothing is at work on it */
bool ahead_come(const wm_ipsec *ipsec, uint8_t *packet, uint16_t total, uint16_t have);

/** Works on a block, if there is anything to do. */
bool ahead_work(void);

/** A packet that came, or one that was to go, is over: nothing is left of the work on it. */
void ahead_drop_in(const uint8_t *packet);
void ahead_drop_out(const uint8_t *packet);

/** Who makes packets that go; NULL: they are made, and nothing works ahead. */
const wm_lowpan_maker *ahead_maker(void);

#endif
