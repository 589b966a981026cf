/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy ahead-hardware with a CC2538: its engine works in RAM. In: octets are taken out of the
 * receive FIFO as they come. When m is in, MIC and FCS are still to come, for 192 us at least, and the
 * engine takes less for the whole frame. What is left at its end is the comparison. Out: m and MIC of a
 * data frame are loaded while the radio turns around, behind the strobe. The Enh-Ack is secured and
 * loaded while its data frame arrives, but for its MIC. */
#include <wardmote/port/tsch_ahead_engine_port.h>
#include "strategy_hardware_cc2538.h"

static hardware_mic opened_mic, answer_mic, sent_mic;
static strategy_plan begun;            /* of the data frame to come */
static uint8_t rest_len, rest_mic_len; /* of the frame to be sent: m and MIC that are not loaded */
static uint8_t taken;                  /* octets of the received frame that were taken */

void wm_port_open_expected(void)
{
}

wm_psdu_len wm_port_open_at(const wm_engine_plan *plan)
{
    return (wm_psdu_len)(plan->split.m_start + plan->split.m_len);
}

static aes_ccm open_operation(const wm_frame_job *job, const wm_engine_plan *plan)
{
    return (aes_ccm){
        .area = job->key_slot,
        .encrypt = false,
        .mic_len = plan->split.mic_len,
        .a_len = plan->split.a_len,
        .m_len = plan->split.m_len,
        .nonce = plan->nonce,
    };
}

wm_status wm_port_open(wm_frame_job *job, const wm_engine_plan *plan, wm_psdu_len read)
{
    aes_ccm op = open_operation(job, plan);
    uint8_t *m = job->frame + plan->split.m_start;
    taken = read;
    if (op.a_len == 0 && op.m_len == 0) {
        return WM_OK;
    }
    uint32_t before = hardware_evidence(&op, m);
    aes_ccm_begin(&op, job->frame);
    if (op.m_len != 0) {
        aes_ccm_message(&op, m, m);
    }
    bool worked = aes_ccm_end(&op, opened_mic.word) && hardware_changed(&op, before, m);
    return worked ? WM_OK : WM_ERR_ENGINE;
}

wm_status wm_port_opened(wm_frame_job *job, const wm_engine_plan *plan, bool *rest)
{
    const uint8_t *mic = job->frame + plan->split.m_start + plan->split.m_len;
    uint8_t mic_len = plan->split.mic_len;
    rf_get(job->frame + taken, (uint8_t)(job->len + WM_FCS_LEN - taken));
    wm_status status = strategy_check_fcs(job->frame[job->len + 1]);
    job->len = (uint8_t)(job->len - mic_len);
    *rest = false;
    if (status == WM_OK && wm_ct_diff(opened_mic.octet, mic, mic_len) != 0) {
        status = WM_ERR_SECURITY;
    }
    if (status == WM_OK && mic_len == 0) {
        status = WM_NOT_AUTHENTICATED;
    }
    return status;
}

void wm_port_open_rest(wm_frame_job *job, const wm_engine_plan *plan)
{
    (void)job; /* m is there */
    (void)plan;
}

void wm_port_open_drop(bool opened)
{
    if (opened) {
        wm_wipe(&opened_mic, sizeof opened_mic); /* the right one of a wrong frame */
    }
    wm_wipe(&answer_mic, sizeof answer_mic);
    rf_unload();
    rf_flush_rx();
}

/* Runs the engine on a frame to be sent, and loads what stays in clear. */
static wm_status seal(const wm_frame_job *job, const strategy_plan *plan, aes_ccm *op,
                      hardware_mic *mic)
{
    *op = hardware_operation(job, plan, true);
    rf_begin((uint8_t)(job->len + op->mic_len + WM_FCS_LEN));
    if (op->a_len == 0 && op->m_len == 0) {
        rf_put(job->frame, job->len);
        return WM_OK;
    }
    if (!hardware_seal(op, job->frame, plan->split.m_start, mic)) {
        rf_unload();
        wm_wipe(hardware_sealed, sizeof hardware_sealed);
        return WM_ERR_ENGINE;
    }
    return WM_OK;
}

wm_status wm_port_prepare_answer(const wm_frame_job *job)
{
    strategy_plan plan;
    aes_ccm op;
    wm_status status = strategy_plan_secure(job, &plan);
    if (status == WM_OK) {
        status = seal(job, &plan, &op, &answer_mic);
    }
    if (status == WM_OK && op.m_len != 0) {
        rf_unload();
        status = WM_ERR_PARAM; /* no Enh-Ack: it is secured at once */
    }
    return status;
}

wm_status wm_port_answer(const wm_frame_job *job)
{
    rf_put(answer_mic.octet, wm_level_mic_len(job->mhr.ash.level));
    return WM_OK;
}

/* m and MIC go in later. */
static wm_status seal_data(const wm_frame_job *job, const strategy_plan *plan)
{
    aes_ccm op;
    wm_status status = seal(job, plan, &op, &sent_mic);
    if (status == WM_OK) {
        rest_len = op.m_len;
        rest_mic_len = op.mic_len;
        if (rest_len == 0) {
            rf_put(sent_mic.octet, rest_mic_len);
        }
    }
    return status;
}

/* Nonce and split. The guard time leaves the engine more time than it takes for a whole frame. */
wm_status wm_port_prepare_data(const wm_frame_job *job, wm_psdu_len psdu_len)
{
    wm_frame_job whole = *job;
    whole.len = (uint8_t)(psdu_len - WM_FCS_LEN - wm_level_mic_len(job->mhr.ash.level));
    return strategy_plan_secure(&whole, &begun);
}

wm_status wm_port_finish_data(const wm_frame_job *job, wm_psdu_len have)
{
    (void)have;
    rest_len = 0;
    return seal_data(job, &begun);
}

void wm_port_drop_data(void)
{
}

/* No frame begins without MAC header, and its octets last for longer than this takes. */
void wm_port_load_rest(void)
{
    if (rest_len != 0) {
        rf_put(hardware_sealed, rest_len);
        rf_put(sent_mic.octet, rest_mic_len);
        rest_len = 0;
    }
}

wm_status wm_port_secure_at_once(const wm_frame_job *job)
{
    rest_len = 0;
    if (job->mhr.type != WM_FRAME_DATA || !job->mhr.security_enabled) {
        return hardware_secure(job);
    }
    strategy_plan plan;
    wm_status status = strategy_plan_secure(job, &plan);
    return status == WM_OK ? seal_data(job, &plan) : status;
}

wm_status wm_port_receive_at_end(wm_tsch *tsch, wm_frame_job *job)
{
    return hardware_receive(tsch, job);
}
