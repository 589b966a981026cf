/* SPDX-License-Identifier: BSD-3-Clause */
/** @file strategy_receive.h
 *  Reception for strategies that first take the whole frame out of the radio. Inline, because the
 *  time from the end of a frame to its answer lengthens the slot. */
#ifndef IMAGE_SLOT_STRATEGY_RECEIVE_H
#define IMAGE_SLOT_STRATEGY_RECEIVE_H

#include <wardmote/ct.h>
#include <wardmote/tsch.h>
#include "radio.h"
#include "strategy.h"

/** Unsecures an admitted frame. `job->frame` holds all its `job->len` octets; job->len shrinks by
 *  the MIC. */
typedef wm_status strategy_unsecure(wm_frame_job *job);

/** Takes a whole frame out of the radio, FCS and all, and reads its header. */
static inline wm_status strategy_take(wm_frame_job *job)
{
    wm_status status = strategy_check_len(job, radio_read_octet());
    if (status != WM_OK) {
        return status;
    }
    radio_read(job->frame, (uint8_t)(job->len + WM_FCS_LEN));
    status = strategy_check_fcs(job->frame[job->len + 1]);
    return status == WM_OK ? wm_frame_parse(job->frame, job->len, &job->mhr, &job->map) : status;
}

/** The end of wm_port_receive: what was refused is wiped. */
static inline wm_status strategy_received(const wm_frame_job *job, wm_status status)
{
    if (status < 0) {
        wm_wipe(job->frame, WM_PSDU_MAX);
        radio_flush_rx();
    }
    return status;
}

/** wm_port_receive of such a strategy, with its own way to unsecure. */
static inline wm_status strategy_receive(wm_tsch *tsch, wm_frame_job *job,
                                         strategy_unsecure *unsecure)
{
    wm_status status = strategy_take(job);
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    if (status == WM_OK) {
        status = job->mhr.security_enabled ? unsecure(job) : WM_NOT_SECURED;
    }
    return strategy_received(job, status);
}

#endif
