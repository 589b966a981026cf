/* SPDX-License-Identifier: BSD-3-Clause */
/* No link security: frames go out and come in unchanged, and a frame that says it is secured is
 * refused. Do not use this strategy in a network. It makes the image without security: security
 * takes the flash, RAM and stack that the other images take in addition. */
#include <wardmote/ct.h>
#include <wardmote/tsch.h>
#include "radio.h"
#include "strategy.h"

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    (void)slot;
    (void)key;
}

wm_status wm_port_secure(const wm_frame_job *job)
{
    if (job->mhr.security_enabled) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    radio_load((uint8_t)(job->len + WM_FCS_LEN), job->frame, job->len, job->frame, 0);
    return WM_OK;
}

static wm_status receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status = strategy_check_len(job, radio_read_octet());
    if (status != WM_OK) {
        return status;
    }
    radio_read(job->frame, (uint8_t)(job->len + WM_FCS_LEN));
    status = strategy_check_fcs(job->frame[job->len + 1]);
    if (status == WM_OK) {
        status = wm_frame_parse(job->frame, job->len, &job->mhr, &job->map);
    }
    if (status == WM_OK && job->mhr.security_enabled) {
        status = WM_ERR_UNSUPPORTED_SECURITY;
    }
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    return status == WM_OK ? WM_NOT_SECURED : status;
}

wm_status wm_port_receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status = receive(tsch, job);
    if (status < 0) {
        wm_wipe(job->frame, WM_PSDU_MAX);
        radio_flush_rx();
    }
    return status;
}
