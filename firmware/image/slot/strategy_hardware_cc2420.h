/* SPDX-License-Identifier: BSD-3-Clause */
/** @file strategy_hardware_cc2420.h
 *  Strategy hardware with a CC2420: the radio secures frames in its FIFOs. Out: header and payload
 *  go into TXFIFO in clear. The engine starts with the strobe that sends; a full frame takes it 222
 *  us, while the first octet that may be encrypted leaves 128 us (turnaround) + 160 us (preamble,
 *  SFD) + 32 us (length) + the header after the strobe, and it encrypts faster than the radio sends.
 *  In: the header is read where it lies and admitted, then the frame is decrypted in place and the
 *  rest of it read. Levels 1..3 are CCM with empty m, so every octet but the MIC counts as clear;
 *  level 4 is CTR; 5..7 are CCM. */
#ifndef IMAGE_SLOT_STRATEGY_HARDWARE_CC2420_H
#define IMAGE_SLOT_STRATEGY_HARDWARE_CC2420_H

#include <wardmote/ct.h>
#include <wardmote/tsch.h>
#include "cc2420.h"
#include "strategy.h"
#include "strategy_head.h"

static inline cc2420_inline hardware_operation(const wm_frame_job *job, const strategy_plan *plan)
{
    return (cc2420_inline){
        .key = job->key_slot,
        .clear_len = plan->split.m_start,
        .mic_len = plan->split.mic_len,
        .nonce = plan->nonce,
    };
}

/** wm_port_secure. */
static inline wm_status hardware_secure(const wm_frame_job *job)
{
    uint8_t psdu_len = (uint8_t)(job->len + WM_FCS_LEN);
    if (!job->mhr.security_enabled) {
        cc2420_load(psdu_len, job->frame, job->len, job->frame, 0);
        return WM_OK;
    }
    strategy_plan plan;
    wm_status status = strategy_plan_secure(job, &plan);
    if (status == WM_OK) {
        cc2420_inline op = hardware_operation(job, &plan);
        cc2420_load_secured(&op, (uint8_t)(psdu_len + plan.split.mic_len), job->frame, job->len);
    }
    return status;
}

/* Reads and parses the header; `have` counts octets read. */
static inline wm_status hardware_read_head(wm_frame_job *job, uint8_t *have)
{
    wm_status status = strategy_check_len(job, cc2420_peek(job->frame, STRATEGY_HEAD_LEN));
    return status == WM_OK ? strategy_parse_head(job, have, cc2420_peek_from) : status;
}

/* Decrypts a frame whose first `have` octets are read. Reads the rest, FCS included, and checks FCS
 * and MIC. */
static inline wm_status hardware_unsecure(wm_frame_job *job, uint8_t have)
{
    strategy_plan plan;
    wm_status status = strategy_plan_unsecure(job, &plan);
    if (status != WM_OK) {
        return status;
    }
    cc2420_inline op = hardware_operation(job, &plan);
    if (!cc2420_decrypt(&op, job->frame, have, job->len)) {
        return WM_ERR_ENGINE;
    }
    uint8_t from = have < op.clear_len ? have : op.clear_len;
    if (from + op.mic_len == job->len) {
        from = (uint8_t)(job->len - 1u); /* of a MIC only the verdict, its last octet, matters */
    }
    cc2420_peek_from(from, job->frame + from, (uint8_t)(job->len + WM_FCS_LEN - from));
    status = strategy_check_fcs(job->frame[job->len + 1]);
    if (status == WM_OK) {
        status = cc2420_decrypted(&op, job->frame, job->len);
    }
    job->len = (uint8_t)(job->len - op.mic_len);
    return status == WM_OK ? strategy_opened(&plan) : status;
}

/* The rest of a frame in clear. */
static inline wm_status hardware_receive_clear(wm_tsch *tsch, wm_frame_job *job)
{
    cc2420_peek_from(job->len, job->frame + job->len, WM_FCS_LEN);
    wm_status status = strategy_check_fcs(job->frame[job->len + 1]);
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    return status == WM_OK ? WM_NOT_SECURED : status;
}

static inline wm_status hardware_take(wm_tsch *tsch, wm_frame_job *job)
{
    uint8_t have = 0;
    wm_status status = hardware_read_head(job, &have);
    if (status != WM_OK) {
        return status;
    }
    if (!job->mhr.security_enabled) {
        return hardware_receive_clear(tsch, job);
    }
    status = wm_tsch_admit(tsch, job);
    return status == WM_OK ? hardware_unsecure(job, have) : status;
}

/** wm_port_receive. */
static inline wm_status hardware_receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status = hardware_take(tsch, job);
    if (status < 0) {
        wm_wipe(job->frame, WM_PSDU_MAX);
        cc2420_wipe_rx(); /* decrypted octets lie behind RXFIFO too */
    }
    return status;
}

#endif
