/* SPDX-License-Identifier: BSD-3-Clause */
/* No link security: frames go out and come in unchanged, and a frame that says it is secured is
 * refused. Do not use this strategy in a network. It makes the image without security: security
 * takes the flash, RAM and stack that the other images take in addition. */
#include <wardmote/tsch.h>
#include "radio.h"
#include "strategy.h"
#include "strategy_receive.h"

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

wm_status wm_port_receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status = strategy_take(job);
    if (status == WM_OK && job->mhr.security_enabled) {
        status = WM_ERR_UNSUPPORTED_SECURITY;
    }
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    return strategy_received(job, status == WM_OK ? WM_NOT_SECURED : status);
}
