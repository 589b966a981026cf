/* SPDX-License-Identifier: BSD-3-Clause */
/* Work ahead of the slot for a node whose engine does CCM* whole.
 *
 *            before the slot         a frame is on the air              after the frame
 *   sender   key, header             rest of the frame; Enh-Ack:        verdict
 *                                    header, policy, engine
 *   receiver                         the same of the data frame; its    verdict, Enh-Ack; m, while the
 *                                    Enh-Ack prepared                   Enh-Ack leaves
 *
 * Invariants: `followed` frames were begun in this slot; `opened` frames are the engine's until
 * wm_port_opened or wm_port_open_drop; `prepared` Enh-Acks are those of the frame that is followed. */
#include <wardmote/ie.h>
#include <wardmote/tsch_ahead_engine.h>
#include "../util/octets8.h"
#include "tsch_ahead.h"
#include "tsch_time.h"

#define PSDU_MIN 4   /* FCF and FCS */
#define SEQ_END 3    /* FCF, sequence number */
#define IE_CONTENT 2 /* of a Time Correction IE: may come while the rest is looked at */
/* ticks: octets come with the clock of the sender, and reach the FIFO a little later */
#define AIR_MARGIN WM_TICKS_NEAR(122)
/* ticks: the clock was read up to one ago; from the end of a piece of work to the sleep of the board */
#define STEP_MARGIN (1 + WM_TICKS_NEAR(16))
#define FCF_SEQ_SUPPRESSED 0x01u /* of its second octet */
#define FCF_ACK_REQUEST 0x20u

static bool has_verdict(const wm_ahead_engine *ahead, const wm_tsch *tsch)
{
    return ahead->followed && ahead->followed_tick == tsch->frame_started &&
           ahead->followed_asn[0] == tsch->asn[3] && ahead->followed_asn[1] == tsch->asn[4];
}

/* Reads up to octet `end` of the frame, as they come.
 *  @retval false  they do not come any more */
static bool pull(wm_ahead_engine *ahead, const wm_tsch *tsch, uint8_t *frame, wm_psdu_len end)
{
    while (ahead->read < end) {
        const wm_psdu_len got =
            wm_port_arrived(frame + ahead->read, (wm_psdu_len)(end - ahead->read));

        ahead->read = (wm_psdu_len)(ahead->read + got);
        if (got == 0 && (uint16_t)(wm_port_ticks() - tsch->frame_started) > ahead->patience) {
            return false;
        }
    }
    return true;
}

/* The length octet. */
static wm_status pull_length(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;
    const uint16_t most = tsch->state == WM_TSCH_ACK_FRAME ? t->ts_max_ack : t->ts_max_tx;
    uint8_t octet = 0;
    wm_psdu_len len;

    ahead->patience = (uint16_t)(most + AIR_MARGIN);
    ahead->read = 0;
    if (!pull(ahead, tsch, &octet, 1)) {
        return WM_ERR_MALFORMED;
    }
    len = octet;
    if (len < PSDU_MIN || len > WM_PSDU_MAX ||
        wm_ahead_air(len) > most) { /* the engine will not wait for its end */
        return WM_ERR_MALFORMED;
    }
    ahead->read = 0;
    ahead->patience = (uint16_t)(wm_ahead_air(len) + AIR_MARGIN);
    tsch->rx.len = (wm_psdu_len)(len - WM_FCS_LEN);
    return WM_OK;
}

/* The Enh-Ack to a data frame, while its header arrives. If the frame is not what it seems to be, it is
 * refused, and there is no answer. */
static wm_status answer_early(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    const uint8_t *frame = tsch->rx.frame;

    if (!pull(ahead, tsch, tsch->rx.frame, SEQ_END)) {
        return WM_ERR_MALFORMED;
    }
    if ((frame[0] & FCF_ACK_REQUEST) != 0 && (frame[1] & FCF_SEQ_SUPPRESSED) == 0) {
        tsch->rx.mhr.seq = frame[2];
        ahead->prepared =
            wm_tsch_build_answer(tsch) == WM_OK && wm_port_prepare_answer(&tsch->tx) == WM_OK;
    }
    return WM_OK;
}

/* Octets before which a frame cannot be judged. */
static wm_psdu_len head_len(const wm_frame_job *job, wm_status parsed)
{
    return parsed != WM_OK || !job->mhr.security_enabled ? job->len : job->map.private_payload;
}

/* Reads and parses the header. */
static wm_status pull_header(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->rx;
    wm_psdu_len need = wm_ahead_header_len(tsch); /* of the frame that is expected */
    wm_psdu_len spare = 0;
    wm_status status;

    if (tsch->state == WM_TSCH_ACK_FRAME) {
        need = (wm_psdu_len)(need + WM_TIME_CORRECTION_LEN - IE_CONTENT);
        spare = IE_CONTENT;
    }
    if (need > job->len) {
        need = job->len;
        spare = 0;
    }
    for (;;) {
        if (!pull(ahead, tsch, job->frame, need)) {
            return WM_ERR_MALFORMED;
        }
        status = wm_frame_parse(job->frame, job->len, &job->mhr, &job->map);
        need = head_len(job, status);
        if (need <= ahead->read + spare) {
            return status;
        }
        spare = 0;
    }
}

/* Split and nonce of a frame that is admitted. */
static wm_status plan_frame(wm_ahead_engine *ahead, const wm_frame_job *job)
{
    const wm_status status =
        wm_frame_split_secured(&job->mhr, &job->map, job->profile, job->len, &ahead->plan.split);

    return status == WM_OK ? wm_ahead_nonce(job, ahead->plan.nonce) : status;
}

static wm_status follow(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->rx;
    wm_status status = pull_length(ahead, tsch);

    wm_port_open_expected();
    if (status == WM_OK && tsch->state == WM_TSCH_RX_FRAME) {
        status = answer_early(ahead, tsch);
    }
    if (status == WM_OK) {
        status = pull_header(ahead, tsch);
    }
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    if (status == WM_OK) {
        status = plan_frame(ahead, job);
    }
    if (status != WM_OK) {
        return status;
    }
    if (!pull(ahead, tsch, job->frame, wm_port_open_at(&ahead->plan))) {
        return WM_ERR_MALFORMED;
    }
    ahead->opened = true;
    return wm_port_open(job, &ahead->plan, ahead->read);
}

/* A frame that was begun and is nobody's any more. */
static void drop(wm_ahead_engine *ahead, uint8_t *frame)
{
    wm_wipe(frame, WM_PSDU_MAX);
    wm_port_open_drop(ahead->opened);
    ahead->followed = false;
    ahead->opened = false;
    ahead->prepared = false;
}

static void begin_follow(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    if (ahead->followed) { /* another, which never ended */
        drop(ahead, tsch->rx_frame);
    }
    ahead->prepared = false;
    ahead->verdict = follow(ahead, tsch);
    ahead->followed = true;
    ahead->followed_tick = tsch->frame_started;
    ahead->followed_asn[0] = tsch->asn[3];
    ahead->followed_asn[1] = tsch->asn[4];
    if (ahead->verdict < 0) {
        wm_wipe(tsch->rx_frame, sizeof tsch->rx_frame);
    }
}

/* What was prepared for the data frame to come is of no use any more. */
static void drop_data(wm_ahead_engine *ahead)
{
    if (ahead->begun != 0) {
        ahead->begun = 0;
        wm_port_drop_data();
    }
}

static void prepare_data(wm_ahead_engine *ahead, const wm_tsch *tsch)
{
    const wm_frame_job *job = &tsch->tx;
    wm_psdu_len psdu_len = tsch->config.frame_len;

    if (tsch->empty) {
        psdu_len = (wm_psdu_len)(job->len + wm_level_mic_len(tsch->config.level) + WM_FCS_LEN);
    }
    if (wm_port_prepare_data(job, psdu_len) == WM_OK) {
        ahead->begun = job->len;
        ahead->begun_psdu = psdu_len;
        wm_copy5(ahead->begun_asn, job->asn);
        ahead->begun_counter = job->mhr.ash.frame_counter;
    }
}

static bool same_asn(const uint8_t a[5], const uint8_t b[5])
{
    return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4])) == 0;
}

/* Whether it is this frame that was prepared. Another slot has another nonce. */
static bool is_begun(const wm_ahead_engine *ahead, const wm_frame_job *job)
{
    const wm_psdu_len psdu_len =
        (wm_psdu_len)(job->len + wm_level_mic_len(job->mhr.ash.level) + WM_FCS_LEN);

    return ahead->begun != 0 && job->mhr.type == WM_FRAME_DATA && psdu_len == ahead->begun_psdu &&
           job->mhr.ash.frame_counter == ahead->begun_counter &&
           same_asn(job->asn, ahead->begun_asn);
}

/* The header of the data frame of the slot to come. */
static void build_ahead(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    const uint16_t begun = wm_port_ticks();
    const bool own = tsch->config.role == WM_TSCH_LEAF && tsch->slot_used && tsch->slot_offset != 0;

    if (!own || tsch->built ||
        (int16_t)(tsch->slot_start - begun) <= (int16_t)(ahead->build_ticks + STEP_MARGIN)) {
        return;
    }
    if (wm_tsch_build_ahead(tsch) == WM_OK) {
        prepare_data(ahead, tsch);
        wm_raise(&ahead->build_ticks, (uint16_t)(wm_port_ticks() - begun));
    }
}

bool wm_ahead_engine_work(wm_ahead_engine *ahead, wm_tsch *tsch)
{
    if (tsch->config.level == 0) {
        return false;
    }
    if (ahead->rest && tsch->state != WM_TSCH_ACK_READY) {
        ahead->rest = false;
        wm_port_open_rest(&tsch->rx, &ahead->plan);
        return true;
    }
    if (wm_ahead_follows(tsch)) {
        if (has_verdict(ahead, tsch)) {
            return false;
        }
        begin_follow(ahead, tsch);
        return true; /* its end may have come meanwhile */
    }
    if (tsch->state > WM_TSCH_SLEEP) {
        if (tsch->state == WM_TSCH_TX_FRAME) {
            wm_port_load_rest();
        }
        return false;
    }
    if (ahead->followed) {
        drop(ahead, tsch->rx_frame);
    }
    ahead->prepared = false;
    if (!tsch->built) { /* another slot than the one that was prepared for */
        drop_data(ahead);
    }
    if (tsch->state == WM_TSCH_SLEEP) {
        build_ahead(ahead, tsch);
    } else { /* there is no cell to come that we know of */
        tsch->prepares = true;
    }
    return false;
}

wm_status wm_ahead_engine_secure(wm_ahead_engine *ahead, const wm_frame_job *job)
{
    const bool prepared = ahead->prepared && job->mhr.type == WM_FRAME_ACK;
    const wm_psdu_len begun = ahead->begun;

    ahead->prepared = false;
    if (is_begun(ahead, job)) {
        ahead->begun = 0;
        return wm_port_finish_data(job, begun);
    }
    drop_data(ahead);
    return prepared ? wm_port_answer(job) : wm_port_secure_at_once(job);
}

wm_status wm_ahead_engine_receive(wm_ahead_engine *ahead, wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status;

    if (!has_verdict(ahead, tsch)) {
        if (ahead->followed) {
            drop(ahead, job->frame);
        }
        return wm_port_receive_at_end(tsch, job);
    }
    status = ahead->verdict;
    if (status == WM_OK) {
        status = wm_port_opened(job, &ahead->plan, &ahead->rest);
    }
    if (status < 0) {
        drop(ahead, job->frame);
        return status;
    }
    if (ahead->rest && !job->mhr.ack_request) {
        ahead->rest = false;
        wm_port_open_rest(job, &ahead->plan);
    }
    ahead->followed = false;
    ahead->opened = false;
    return status;
}

void wm_ahead_engine_refuse(wm_ahead_engine *ahead, wm_frame_job *job)
{
    ahead->opened = true; /* of what was opened some is in the radio */
    ahead->rest = false;
    drop(ahead, job->frame);
}

void wm_ahead_engine_forget(wm_ahead_engine *ahead)
{
    if (ahead->followed || ahead->rest) {
        wm_port_open_drop(ahead->opened || ahead->rest); /* an authenticated m lies there too */
    }
    ahead->verdict = WM_ERR_STATE; /* a frame whose end is to come is refused, and wiped, then */
    ahead->opened = false;
    ahead->prepared = false;
    ahead->rest = false;
    drop_data(ahead);
}
