/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the TSCH engine are all there is. */
#include "policy.h"

bool policy_start(const wm_tsch_config *config)
{
    (void)config;
    return true;
}

void policy_key(uint8_t slot)
{
    (void)slot;
}

wm_status policy_secures(const wm_frame_job *job)
{
    (void)job;
    return WM_OK;
}

void policy_unsecured(const wm_frame_job *job)
{
    (void)job;
}

wm_status policy_received(const wm_frame_job *job, wm_status status)
{
    (void)job;
    return status;
}

wm_status wm_port_admits(const struct wm_tsch *tsch, const wm_frame_job *job)
{
    (void)tsch;
    (void)job;
    return WM_OK;
}

wm_status wm_port_builds(const struct wm_tsch *tsch, const wm_frame_job *job)
{
    (void)tsch;
    (void)job;
    return WM_OK;
}
