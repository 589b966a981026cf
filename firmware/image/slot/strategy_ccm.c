/* SPDX-License-Identifier: BSD-3-Clause */
/* CCM* on the CPU, for strategies software and hybrid. a-data is taken where it lies and m-data
 * from a copy, since the engine keeps its frame in clear. The copy holds ciphertext when it is
 * loaded, so nothing secret stays in it; a refused frame is wiped as a whole. */
#include <wardmote/ccm.h>
#include <wardmote/ct.h>
#include <wardmote/tsch.h>
#include "radio.h"
#include "strategy.h"
#include "strategy_receive.h"

/* m and MIC of the frame being secured. One octet more than a PSDU: the copy begins at an address
 * of the parity of its source, so that words can be copied. */
static union {
    uint16_t alignment;
    uint8_t octet[1 + WM_PSDU_MAX];
} work;

/* Level 4 without payload: nothing is encrypted, and nothing authenticated. */
static bool has_work(const strategy_plan *plan)
{
    return (plan->split.m_len | plan->split.mic_len) != 0;
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    strategy_key(slot, key);
}

wm_status wm_port_secure(const wm_frame_job *job)
{
    uint8_t psdu_len = (uint8_t)(job->len + WM_FCS_LEN);
    if (!job->mhr.security_enabled) {
        radio_load(psdu_len, job->frame, job->len, job->frame, 0);
        return WM_OK;
    }
    strategy_plan plan;
    wm_status status = strategy_plan_secure(job, &plan);
    if (status != WM_OK) {
        return status;
    }
    const uint8_t *m = job->frame + plan.split.m_start;
    uint8_t *sealed = work.octet + ((uintptr_t)m & 1);
    __builtin_memcpy(sealed, m, plan.split.m_len);
    if (has_work(&plan)) {
        status =
            wm_ccm_seal(strategy_cipher(job->key_slot), plan.nonce, job->frame, plan.split.a_len,
                        sealed, plan.split.m_len, sealed + plan.split.m_len, plan.split.mic_len);
    }
    if (status != WM_OK) {
        wm_wipe(&work, sizeof work);
        return status;
    }
    radio_load((uint8_t)(psdu_len + plan.split.mic_len), job->frame, plan.split.m_start, sealed,
               (uint8_t)(plan.split.m_len + plan.split.mic_len));
    return WM_OK;
}

static wm_status unsecure(wm_frame_job *job)
{
    strategy_plan plan;
    wm_status status = strategy_plan_unsecure(job, &plan);
    if (status != WM_OK) {
        return status;
    }
    if (!has_work(&plan)) {
        return WM_NOT_AUTHENTICATED;
    }
    uint8_t *m = job->frame + plan.split.m_start;
    status = wm_ccm_open(strategy_cipher(job->key_slot), plan.nonce, job->frame, plan.split.a_len,
                         m, plan.split.m_len, m + plan.split.m_len, plan.split.mic_len);
    job->len = (uint8_t)(job->len - plan.split.mic_len);
    return status;
}

wm_status wm_port_receive(wm_tsch *tsch, wm_frame_job *job)
{
    return strategy_receive(tsch, job, unsecure);
}
