/* SPDX-License-Identifier: BSD-3-Clause */
/** @file role.h
 *  What a node does: sender.c or receiver.c. The MAC is main.c's. */
#ifndef IMAGE_PICTURE_ROLE_H
#define IMAGE_PICTURE_ROLE_H

#include <wardmote/csma.h>
#include "frame.h"

/** The MAC of this node. */
extern wm_csma mac;

/** Keys and the rest; radio and MAC are on.
 *  @retval false  the block asks for what cannot be, or the counter does not work */
bool role_start(const picture_setup *setup);

/** A packet for this node has come, a copy of an earlier frame left out. */
void role_take(const frame_packet *packet);

/** Does what waits to be done.
 *  @retval false  nothing does */
bool role_work(void);

/** Does something wait that came in a handler since role_work? */
bool role_waits(void);

#endif
