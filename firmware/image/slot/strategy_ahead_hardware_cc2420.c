/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy ahead-hardware with a CC2420. In: the header is read out of RXFIFO while the rest arrives.
 * SRXDEC follows it, so the verdict is there when the last octet is. The payload stays in the radio
 * until then, and is peeked while the Enh-Ack leaves. Out: the Enh-Ack lies in TXFIFO in clear and
 * without MIC while its data frame arrives. The strobe that sends it starts the engine, as in strategy
 * hardware. Mode and length of the MIC are common to both directions: admission wants one level. At
 * level 4 there is no MIC, and the frame is opened when it has ended. */
#include <stddef.h>
#include <wardmote/port/tsch_ahead_engine_port.h>
#include "strategy_hardware_cc2420.h"

void wm_port_open_expected(void)
{
    cc2420_decrypt_mark();
}

wm_psdu_len wm_port_open_at(const wm_engine_plan *plan)
{
    return plan->split.m_start;
}

wm_status wm_port_open(wm_frame_job *job, const wm_engine_plan *plan, wm_psdu_len read)
{
    (void)read;
    if (plan->split.mic_len != 0) {
        cc2420_inline op = {
            .key = job->key_slot,
            .clear_len = plan->split.m_start,
            .mic_len = plan->split.mic_len,
            .nonce = plan->nonce,
        };
        cc2420_decrypt_begin(&op);
    }
    return WM_OK;
}

wm_status wm_port_opened(wm_frame_job *job, const wm_engine_plan *plan, bool *rest)
{
    if (plan->split.mic_len == 0) {
        return hardware_unsecure(job, plan->split.m_start);
    }
    wm_status opened = cc2420_decrypt_end(job->frame, job->len);
    wm_status status = strategy_check_fcs(job->frame[job->len + 1]);
    job->len = (uint8_t)(job->len - plan->split.mic_len);
    *rest = plan->split.m_len != 0;
    return status == WM_OK ? opened : status;
}

void wm_port_open_rest(wm_frame_job *job, const wm_engine_plan *plan)
{
    cc2420_peek_from(plan->split.m_start, job->frame + plan->split.m_start, plan->split.m_len);
}

void wm_port_open_drop(bool opened)
{
    if (opened) {
        cc2420_decrypt_stop();
        cc2420_wipe_rx(); /* decrypted octets lie behind RXFIFO too */
    } else {
        cc2420_flush_rx();
    }
}

wm_status wm_port_prepare_answer(const wm_frame_job *job)
{
    return hardware_secure(job);
}

wm_status wm_port_answer(const wm_frame_job *job)
{
    (void)job;
    return WM_OK;
}

static cc2420_inline begun; /* without its nonce, which the radio has */

wm_status wm_port_prepare_data(const wm_frame_job *job, wm_psdu_len psdu_len)
{
    strategy_plan plan;
    wm_status status = strategy_plan_secure(job, &plan);
    if (status == WM_OK) {
        begun = hardware_operation(job, &plan);
        if (job->mhr.ash.level < 4) { /* all but the MIC stays in clear */
            begun.clear_len = (uint8_t)(psdu_len - WM_FCS_LEN - begun.mic_len);
        }
        cc2420_load_begin(&begun, psdu_len, job->frame, job->len);
        cc2420_load_keep(true);
        begun.nonce = NULL;
    }
    return status;
}

wm_status wm_port_finish_data(const wm_frame_job *job, wm_psdu_len have)
{
    cc2420_load_end(&begun, job->frame, job->len, have);
    return WM_OK;
}

void wm_port_drop_data(void)
{
    cc2420_load_keep(false);
}

void wm_port_load_rest(void)
{ /* the engine of the radio wants the whole frame */
}

wm_status wm_port_secure_at_once(const wm_frame_job *job)
{
    return hardware_secure(job);
}

wm_status wm_port_receive_at_end(wm_tsch *tsch, wm_frame_job *job)
{
    return hardware_receive(tsch, job);
}
