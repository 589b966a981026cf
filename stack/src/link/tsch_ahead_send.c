/* SPDX-License-Identifier: BSD-3-Clause */
/* wm_port_secure of a node that works ahead of the slot.
 *
 * A data frame is loaded without its MIC: header, and payload xored with keystream; so is a beacon. wm_ahead_work makes
 * the MIC while the frame waits or leaves, and appends it. If that could come too late, the MIC is
 * made before the frame is loaded. An Enh-Ack whose octets are known while the data frame arrives is
 * loaded then, without its MIC; here S_0 makes the tag. Any other frame is secured at once. */
#include <wardmote/octets.h>
#include "../util/xor.h"
#include "tsch_ahead.h"

/* m becomes ciphertext where its keystream was, so that no keystream is left. */
static void encrypt(wm_block128 *stream, const uint8_t *m, wm_psdu_len len)
{
    while (len != 0) {
        const uint8_t n = len < 16 ? (uint8_t)len : 16;
        wm_xor(stream++->octet, m, n);
        m += n;
        len = (wm_psdu_len)(len - n);
    }
}

/* Makes the MIC of a frame that is not loaded while it is on the air. */
static wm_status secure_whole(wm_ahead *ahead, wm_ahead_frame *frame, const wm_frame_job *job,
                              const wm_frame_split *split)
{
    const wm_psdu_len psdu_len = (wm_psdu_len)(job->len + split->mic_len + WM_FCS_LEN);
    const uint8_t *m = job->frame + split->m_start;
    wm_block128 *stream = wm_ahead_stream(ahead, frame) + 1;
    wm_status status = WM_OK;

    if (split->mic_len != 0) {
        status = wm_ahead_absorb_all(ahead, frame, job->frame, job->len);
        if (status == WM_OK) {
            status = wm_ahead_tag(ahead, frame);
        }
    }
    if (status == WM_OK) {
        encrypt(stream, m, split->m_len);
        wm_port_load(psdu_len, job->frame, split->m_start, (const uint8_t *)stream, split->m_len);
        if (split->mic_len != 0) {
            (void)wm_port_load_more(frame->mac.x.octet, split->mic_len);
        }
    }
    if (status == WM_OK) {
        wm_ahead_release(frame);
    } else {
        wm_ahead_wipe(ahead, frame); /* its keystream has met nothing */
    }
    return status;
}

/* Loads a data frame or a beacon without its MIC, and of m the first block only: wm_ahead_work has more
 * time for the rest than the radio needs for the header. */
static wm_status secure_leaving(wm_ahead *ahead, wm_ahead_frame *frame, const wm_frame_job *job,
                                const wm_frame_split *split)
{
    wm_block128 *stream = wm_ahead_stream(ahead, frame) + 1;
    const wm_psdu_len psdu_len = (wm_psdu_len)(job->len + split->mic_len + WM_FCS_LEN);
    const wm_psdu_len first = split->m_len < 16 ? split->m_len : 16;

    encrypt(stream, job->frame + split->m_start, first);
    wm_port_load(psdu_len, job->frame, split->m_start, stream->octet, first);
    ahead->m_loaded = first;
    frame->made = 1; /* S_0 is not used yet; the rest has met its octets as good as */
    ahead->leaving = job;
    ahead->leaves = frame;
    return WM_OK;
}

bool wm_ahead_load_rest(wm_ahead *ahead)
{
    const wm_ahead_frame *frame = ahead->leaves;
    const wm_psdu_len at = ahead->m_loaded;
    wm_block128 *stream = wm_ahead_stream(ahead, frame) + 1 + at / 16u;
    const wm_psdu_len left = (wm_psdu_len)(frame->m_len - at);

    if (left == 0) {
        return false;
    }
    encrypt(stream, ahead->leaving->frame + ahead->leaving->len - left, left);
    (void)wm_port_load_more((const uint8_t *)stream, left);
    ahead->m_loaded = frame->m_len;
    return true;
}

static wm_status secure(wm_ahead *ahead, wm_ahead_frame *frame, const wm_frame_job *job,
                        const wm_frame_split *split)
{
    const wm_psdu_len need = wm_ahead_need(split->m_len);
    wm_status status = WM_OK;

    if (need > wm_ahead_room(ahead, frame)) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    wm_ahead_trim(ahead, frame, need);
    while (frame->made < need && status == WM_OK) {
        status = wm_ahead_make(ahead, frame);
    }
    if (status == WM_OK && split->mic_len != 0) {
        wm_ahead_begin(frame, split, job->mhr.type != WM_FRAME_ACK && frame->seq == job->mhr.seq);
    }
    if (status != WM_OK) {
        wm_ahead_wipe(ahead, frame);
        return status;
    }
    if (job->mhr.type != WM_FRAME_ACK && split->mic_len != 0 &&
        wm_ahead_ticks(ahead, wm_ahead_mac_blocks(&frame->mac)) < wm_ahead_air(job->len)) {
        return secure_leaving(ahead, frame, job, split);
    }
    return secure_whole(ahead, frame, job, split);
}

/* The Enh-Ack is in the radio but for its MIC. */
static wm_status finish_answer(wm_ahead *ahead)
{
    wm_ahead_frame *ack = &ahead->ack;
    wm_status status = wm_ahead_tag(ahead, ack);

    if (status != WM_OK) {
        wm_ahead_wipe(ahead, ack);
        return status;
    }
    if (!wm_port_load_more(ack->mac.x.octet, ack->mic_len)) {
        status = WM_ERR_ENGINE;
    }
    wm_ahead_release(ack);
    return status;
}

/* Whether the frame has the nonce of the Enh-Ack that is loaded: the rest of both is the same. */
static bool has_nonce(const wm_ahead_frame *ack, const wm_frame_job *job)
{
    const uint8_t *nonce = ack->nonce + 8;

    if (job->nonce_form == WM_NONCE_ASN) {
        return ((nonce[0] ^ job->asn[0]) | (nonce[1] ^ job->asn[1]) | (nonce[2] ^ job->asn[2]) |
                (nonce[3] ^ job->asn[3]) | (nonce[4] ^ job->asn[4])) == 0;
    }
    return wm_load_be32(nonce) == job->mhr.ash.frame_counter;
}

wm_status wm_ahead_secure(wm_ahead *ahead, const wm_frame_job *job)
{
    const bool data = job->mhr.type == WM_FRAME_DATA;
    wm_ahead_frame *frame = data ? &ahead->data : &ahead->ack;
    wm_ahead_plan plan;
    wm_status status;

    if (!job->mhr.security_enabled) {
        wm_port_load((wm_psdu_len)(job->len + WM_FCS_LEN), job->frame, job->len, job->frame, 0);
        return WM_OK;
    }
    if (job->mhr.type == WM_FRAME_ACK && frame->loaded && frame->at == job->len &&
        frame->seq == job->mhr.seq && frame->key_slot == job->key_slot && has_nonce(frame, job)) {
        return finish_answer(ahead);
    }
    status = wm_ahead_nonce(job, plan.nonce);
    if (status != WM_OK) {
        return status;
    }
    ahead->leaving = NULL;
    wm_ahead_belong(ahead, frame, job->key_slot, plan.nonce);
    status = wm_frame_split_clear(&job->mhr, &job->map, job->profile, job->len, &plan.split);
    if (status != WM_OK) {
        return status;
    }
    return secure(ahead, frame, job, &plan.split);
}

void wm_ahead_prepare_answer(wm_ahead *ahead, wm_tsch *tsch)
{
    wm_ahead_frame *ack = &ahead->ack;
    const wm_frame_job *job = &tsch->tx;
    wm_ahead_plan plan;

    if (wm_tsch_build_answer(tsch) != WM_OK || wm_ahead_nonce(job, plan.nonce) != WM_OK ||
        wm_frame_split_clear(&job->mhr, &job->map, job->profile, job->len, &plan.split) != WM_OK ||
        plan.split.mic_len == 0 || plan.split.m_len != 0) {
        return; /* wm_ahead_secure says what is wrong */
    }
    wm_ahead_belong(ahead, ack, job->key_slot, plan.nonce);
    /* The time correction is this frame's. An Enh-Ack that was prepared for a frame with the same
     * number, and not sent, may have another. */
    wm_ahead_begin(ack, &plan.split, ack->seq == job->mhr.seq && ack->at <= job->map.header_ie);
    ack->seq = job->mhr.seq;
    if (wm_ahead_absorb_all(ahead, ack, job->frame, job->len) != WM_OK) {
        wm_ahead_wipe(ahead, ack);
        return;
    }
    if (ack->made == 0 && wm_ahead_make(ahead, ack) != WM_OK) {
        wm_ahead_wipe(ahead, ack);
        return;
    }
    wm_port_load((wm_psdu_len)(job->len + plan.split.mic_len + WM_FCS_LEN), job->frame, job->len,
                 job->frame, 0);
    ack->loaded = true;
}
