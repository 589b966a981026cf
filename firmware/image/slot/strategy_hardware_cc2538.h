/* SPDX-License-Identifier: BSD-3-Clause */
/** @file strategy_hardware_cc2538.h
 *  Strategy hardware with a CC2538: its engine secures frames in RAM. Out: while the engine reads a,
 *  which is what stays in clear, the CPU copies it into the transmit FIFO; m comes from the frame,
 *  which stays in clear, and goes to a buffer. In: the header is read and admitted, then the frame
 *  is opened in place; the rest of it is read while the engine works on a. Levels 1..3 are CCM with
 *  empty m; level 4 is CTR; 5..7 are CCM. Of CTR only m can tell whether the engine has worked. If it
 *  stays as it is by chance, 1 in 256 frames with one octet of m, the frame is lost. A level 4 frame
 *  without payload has neither a nor m: the engine would never come to an end, and there is nothing
 *  to do. */
#ifndef IMAGE_SLOT_STRATEGY_HARDWARE_CC2538_H
#define IMAGE_SLOT_STRATEGY_HARDWARE_CC2538_H

#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/tsch.h>
#include "engine.h"
#include "radio.h"
#include "strategy.h"
#include "strategy_head.h"

/* m of the frame being secured: ciphertext from the first octet that the engine writes. */
static uint8_t hardware_sealed[WM_PSDU_MAX];

static aes_ccm hardware_operation(const wm_frame_job *job, const strategy_plan *plan, bool encrypt)
{
    return (aes_ccm){
        .area = job->key_slot,
        .encrypt = encrypt,
        .mic_len = plan->split.mic_len,
        .a_len = plan->split.a_len,
        .m_len = plan->split.m_len,
        .nonce = plan->nonce,
    };
}

/* A union, so that the engine's words can be taken as octets. */
typedef union hardware_mic {
    uint32_t word[4];
    uint8_t octet[16];
} hardware_mic;

/* Without a MIC: the first octets of m, four at most, which the engine is to change. */
static uint32_t hardware_evidence(const aes_ccm *op, const uint8_t *m)
{
    if (op->mic_len != 0) {
        return 0;
    }
    if (op->m_len >= 4) {
        return wm_load_le32(m);
    }
    uint32_t octets = 0;
    for (uint8_t i = 0; i < op->m_len; i++) {
        octets = octets << 8 | m[i];
    }
    return octets;
}

static bool hardware_changed(const aes_ccm *op, uint32_t before, const uint8_t *m)
{
    return op->mic_len != 0 || op->m_len == 0 || hardware_evidence(op, m) != before;
}

/* Runs the engine; `clear_len` octets of the frame go into the transmit FIFO meanwhile. */
static bool hardware_seal(const aes_ccm *op, const uint8_t *frame, uint8_t clear_len,
                          hardware_mic *tag)
{
    aes_ccm_begin(op, frame);
    rf_put(frame, clear_len);
    if (op->m_len != 0) {
        aes_ccm_message(op, frame + clear_len, hardware_sealed);
    }
    return aes_ccm_end(op, tag->word) &&
           hardware_changed(op, hardware_evidence(op, frame + clear_len), hardware_sealed);
}

/** wm_port_secure. */
static wm_status hardware_secure(const wm_frame_job *job)
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
    aes_ccm op = hardware_operation(job, &plan, true);
    hardware_mic tag;
    rf_begin((uint8_t)(psdu_len + op.mic_len));
    if (op.a_len == 0 && op.m_len == 0) {
        rf_put(job->frame, job->len);
        return WM_OK;
    }
    if (!hardware_seal(&op, job->frame, plan.split.m_start, &tag)) {
        rf_begin(0); /* half a frame must not be sent */
        wm_wipe(hardware_sealed, sizeof hardware_sealed);
        return WM_ERR_ENGINE;
    }
    rf_put(hardware_sealed, op.m_len);
    rf_put(tag.octet, op.mic_len);
    return WM_OK;
}

/* Runs the engine on the first `have` octets of a frame, which `job` holds. Reads the rest, FCS
 * included, while the engine works on a. */
static bool hardware_open(const aes_ccm *op, wm_frame_job *job, uint8_t have, uint8_t *m,
                          hardware_mic *tag)
{
    if (have < op->a_len) {
        rf_get(job->frame + have, (uint8_t)(op->a_len - have));
        have = op->a_len;
    }
    bool nothing = op->a_len == 0 && op->m_len == 0;
    uint32_t before = 0;
    if (!nothing) {
        aes_ccm_begin(op, job->frame);
    }
    rf_get(job->frame + have, (uint8_t)(job->len + WM_FCS_LEN - have));
    if (op->m_len != 0) {
        before = hardware_evidence(op, m);
        aes_ccm_message(op, m, m);
    }
    return nothing || (aes_ccm_end(op, tag->word) && hardware_changed(op, before, m));
}

/* Of the octets read, those from m on may be encrypted: `have` may reach into m, which the engine
 * then finds there. */
static wm_status hardware_unsecure(wm_frame_job *job, uint8_t have)
{
    strategy_plan plan;
    wm_status status = strategy_plan_unsecure(job, &plan);
    if (status != WM_OK) {
        return status;
    }
    aes_ccm op = hardware_operation(job, &plan, false);
    uint8_t *m = job->frame + plan.split.m_start;
    hardware_mic tag;
    bool opened = hardware_open(&op, job, have, m, &tag);
    status = strategy_check_fcs(job->frame[job->len + 1]);
    job->len = (uint8_t)(job->len - op.mic_len);
    if (status == WM_OK && !opened) {
        status = WM_ERR_ENGINE;
    } else if (status == WM_OK && wm_ct_diff(tag.octet, m + op.m_len, op.mic_len) != 0) {
        status = WM_ERR_SECURITY;
    }
    if (status != WM_OK) {
        wm_wipe(&tag, sizeof tag);
        return status;
    }
    return strategy_opened(&plan);
}

static void hardware_more(uint8_t from, uint8_t *to, uint8_t len)
{
    (void)from; /* the FIFO knows */
    rf_get(to, len);
}

static wm_status hardware_take(wm_tsch *tsch, wm_frame_job *job)
{
    uint8_t have = 0;
    wm_status status = strategy_check_len(job, rf_get_octet());
    if (status == WM_OK) {
        rf_get(job->frame, STRATEGY_HEAD_LEN < job->len ? STRATEGY_HEAD_LEN : job->len);
        status = strategy_parse_head(job, &have, hardware_more);
    }
    if (status == WM_OK && !job->mhr.security_enabled) {
        rf_get(job->frame + job->len, WM_FCS_LEN);
        status = strategy_check_fcs(job->frame[job->len + 1]);
    }
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    if (status != WM_OK) {
        return status;
    }
    return job->mhr.security_enabled ? hardware_unsecure(job, have) : WM_NOT_SECURED;
}

/** wm_port_receive. */
static wm_status hardware_receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status = hardware_take(tsch, job);
    if (status < 0) {
        wm_wipe(job->frame, WM_PSDU_MAX);
        rf_flush_rx();
    }
    return status;
}

#endif
