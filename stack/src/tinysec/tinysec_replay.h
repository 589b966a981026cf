/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of senders that have been heard, and what an AE packet says of its sender. */
#ifndef WM_TINYSEC_REPLAY_H
#define WM_TINYSEC_REPLAY_H

#include <wardmote/tinysec.h>

/** The address in the iv of an AE packet. */
uint16_t wm_tinysec_source(const wm_tinysec_receiver *receiver);

/** Stores the counter of an AE packet whose tag was right. NULL: there is no table.
 *  @retval WM_ERR_COUNTER             it is not above the last one of its sender, or is our own
 *  @retval WM_ERR_UNAVAILABLE_DEVICE  there is no room for another sender */
wm_status wm_tinysec_hear(wm_tinysec_replay *replay, const wm_tinysec_receiver *receiver);

#endif
