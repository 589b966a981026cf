/* SPDX-License-Identifier: BSD-3-Clause */
/** @file act.h
 *  What is done with one frame. */
#ifndef WARDMOTE_FRAMES_ACT_H
#define WARDMOTE_FRAMES_ACT_H

#include "state.h"

/** What a call has for all its frames. */
typedef struct batch {
    frames_state *state;
    const frames_job *job;
    frames_totals *totals;
} batch;

/** Makes the frame to be written out of that of a record. `frame` has room for WM_FRAME_MAX octets.
 *  It may set the result's reason, `secured` and `key`. */
typedef wm_status handler(const batch *run, const psdu *found, uint64_t number, uint8_t *frame,
                          wm_psdu_len *len, frames_result *result);

handler act_unsecure, act_secure;

#endif
