/* SPDX-License-Identifier: BSD-3-Clause */
/* What all strategies do alike. */
#include <stddef.h>
#include "radio.h"
#include "strategy.h"

/* Shortest PSDU: FCF and FCS. */
#define PSDU_MIN 4

/* With the function of the stack in it, what is copied to and fro costs nothing. */
__attribute__((flatten)) static wm_status nonce_of(const wm_frame_job *job,
                                                   uint8_t nonce[WM_CCM_NONCE_LEN])
{
    wm_security sec;
    sec.cipher = NULL; /* not used for a nonce */
    sec.profile = job->profile;
    sec.nonce_form = job->nonce_form;
    sec.asn[0] = job->asn[0];
    sec.asn[1] = job->asn[1];
    sec.asn[2] = job->asn[2];
    sec.asn[3] = job->asn[3];
    sec.asn[4] = job->asn[4];
    sec.src_ext = job->src_ext;
    return wm_frame_nonce(&job->mhr, &sec, nonce);
}

wm_status strategy_plan_secure(const wm_frame_job *job, strategy_plan *plan)
{
    wm_status status =
        wm_frame_split_clear(&job->mhr, &job->map, job->profile, job->len, &plan->split);
    return status == WM_OK ? nonce_of(job, plan->nonce) : status;
}

wm_status strategy_plan_unsecure(const wm_frame_job *job, strategy_plan *plan)
{
    wm_status status =
        wm_frame_split_secured(&job->mhr, &job->map, job->profile, job->len, &plan->split);
    return status == WM_OK ? nonce_of(job, plan->nonce) : status;
}

wm_status strategy_check_len(wm_frame_job *job, uint8_t psdu_len)
{
    if (psdu_len < PSDU_MIN || psdu_len > WM_PSDU_MAX) {
        return WM_ERR_MALFORMED;
    }
    job->len = (uint8_t)(psdu_len - WM_FCS_LEN);
    return WM_OK;
}

wm_status strategy_check_fcs(uint8_t correlation)
{
    return (correlation & RADIO_FCS_RIGHT) != 0 ? WM_OK : WM_ERR_FCS;
}
