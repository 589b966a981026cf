/* SPDX-License-Identifier: BSD-3-Clause */
/* Work ahead of the slot: the pieces of work, and whose turn it is.
 *
 * References: RFC 3610 §2 (CCM), IEEE 802.15.4-2015 9.3 (nonces).
 *
 *            slot to come            this slot                            slot after it
 *   sender   key, header, keystream, CBC-MAC, Enh-Ack's S_0 and B_0       keystream, once the frame
 *            CBC-MAC of the header                                       is loaded
 *   receiver keystream, B_0, Enh-Ack's S_0 and B_0                       keystream, once the Enh-Ack
 *                                                                        is loaded
 *
 * Invariants: keystream in wm_ahead has met no frame; blocks from `made` on hold none. `begun` frames
 * hold the CBC-MAC of octets 0..at of the frame in the engine's buffer. */
#include "tsch_ahead.h"
#include "../util/octets8.h"
#include "../util/xor.h"
#include "tsch_time.h"

/* ticks: the clock was read up to one ago; from the end of a piece of work to the sleep of the board */
#define STEP_MARGIN (1 + WM_TICKS_NEAR(16))
/* ticks: work may end so much later than the own frame, for nothing has to be begun at once then.
 * It seldom does, because a piece is thought to take as long as the longest */
#define FRAME_SPARE WM_TICKS_NEAR(92)
#define NONCE_LEN 13

void wm_ahead_wipe(wm_ahead *ahead, wm_ahead_frame *frame)
{
    wm_block128 *block = wm_ahead_stream(ahead, frame);
    wm_psdu_len n;

    ahead->wasted += frame->made;
    for (n = wm_ahead_room(ahead, frame); n != 0; n--) {
        wm_block_wipe(block++);
    }
    wm_wipe(frame, sizeof *frame);
}

void wm_ahead_drop(wm_ahead *ahead, wm_ahead_frame *frame)
{
    frame->made = 0;
    wm_ahead_wipe(ahead, frame);
}

void wm_ahead_wipe_behind(wm_ahead *ahead, wm_ahead_frame *frame, wm_psdu_len need)
{
    wm_block128 *stream = wm_ahead_stream(ahead, frame);

    while (frame->made > need) {
        frame->made--;
        ahead->wasted++;
        wm_block_wipe(stream + frame->made);
    }
}

void wm_ahead_give_up(wm_ahead *ahead)
{
    if (ahead->leaving != NULL) {
        ahead->leaving = NULL;
        wm_ahead_drop(ahead, ahead->leaves);
    }
}

void wm_ahead_clear_used(wm_ahead *ahead, wm_ahead_frame *frame)
{
    if (frame->used) {
        wm_block_wipe(&frame->mac.x);
        wm_block_wipe(wm_ahead_stream(ahead, frame));
        frame->used = false;
    }
}

void wm_ahead_forget(wm_ahead *ahead)
{
    wm_ahead_wipe(ahead, &ahead->data);
    wm_ahead_wipe(ahead, &ahead->ack);
    ahead->leaving = NULL;
    ahead->peer.least_late = 0; /* with another key counters may begin anew */
    ahead->peer.proved = false;
    if (ahead->verdict >=
        0) { /* of a frame whose end is not reported yet, under the key that goes */
        ahead->verdict = WM_ERR_STATE;
    }
}

bool wm_ahead_belong(wm_ahead *ahead, wm_ahead_frame *frame, uint8_t key_slot,
                     const uint8_t nonce[13])
{
    uint8_t i;

    if (frame->known && frame->key_slot == key_slot &&
        frame->nonce[NONCE_LEN - 1] == nonce[NONCE_LEN - 1] && /* an ASN differs here first */
        wm_ct_diff(frame->nonce, nonce, NONCE_LEN) == 0) {
        return false;
    }
    if (frame->known) {
        wm_ahead_wipe(ahead, frame);
    }
    wm_ahead_clear_used(ahead, frame);
    for (i = 0; i < NONCE_LEN; i++) {
        frame->nonce[i] = nonce[i];
    }
    frame->key_slot = key_slot;
    frame->known = true;
    return true;
}

wm_status wm_ahead_make(wm_ahead *ahead, wm_ahead_frame *frame)
{
    wm_block128 *block = wm_ahead_stream(ahead, frame) + frame->made;
    const uint16_t begun = wm_port_ticks();
    const wm_status status =
        wm_ccm_keystream(wm_port_cipher(frame->key_slot), frame->nonce, frame->made, block);
    const uint16_t taken = (uint16_t)(wm_port_ticks() - begun);

    if (status == WM_OK) {
        frame->made++;
        ahead->made++;
        wm_raise(&ahead->block_ticks, taken);
    }
    return status;
}

void wm_ahead_begin(wm_ahead_frame *frame, const wm_frame_split *split, bool kept)
{
    if (frame->begun && frame->a_len == split->a_len && frame->m_len == split->m_len &&
        frame->mic_len == split->mic_len && (kept || frame->at == 0)) {
        return;
    }
    frame->begun = true;
    frame->a_len = split->a_len;
    frame->m_len = split->m_len;
    frame->mic_len = split->mic_len;
    frame->at = 0;
    wm_ccm_mac_start(&frame->mac, frame->nonce, split->a_len, split->m_len, split->mic_len);
}

wm_status wm_ahead_absorb(wm_ahead *ahead, wm_ahead_frame *frame, const uint8_t *octets,
                          wm_psdu_len end, bool *made)
{
    const wm_psdu_len all = (wm_psdu_len)(frame->a_len + frame->m_len);
    uint8_t taken;
    wm_status status;

    *made = false;
    if (end > all) {
        end = all;
    }
    while (!frame->mac.full && frame->at < end) {
        taken = wm_ccm_mac_take(&frame->mac, octets + frame->at, (uint16_t)(end - frame->at));
        frame->at = (wm_psdu_len)(frame->at + taken);
    }
    if (!frame->mac.full) {
        return WM_OK;
    }
    status = wm_ccm_mac_step(&frame->mac, wm_port_cipher(frame->key_slot));
    if (status == WM_OK) {
        *made = true;
        ahead->made++;
    } else {
        frame->begun = false; /* a failed CBC-MAC is wiped, and looks as if it were done */
    }
    return status;
}

wm_status wm_ahead_absorb_all(wm_ahead *ahead, wm_ahead_frame *frame, const uint8_t *octets,
                              wm_psdu_len end)
{
    bool made = true;
    wm_status status = WM_OK;

    while (made && status == WM_OK) {
        status = wm_ahead_absorb(ahead, frame, octets, end, &made);
    }
    return status;
}

wm_status wm_ahead_tag(wm_ahead *ahead, wm_ahead_frame *frame)
{
    wm_block128 *s_0 = wm_ahead_stream(ahead, frame);

    if (frame->made == 0) {
        const wm_status status = wm_ahead_make(ahead, frame);
        if (status != WM_OK) {
            return status;
        }
    }
    wm_block_xor(&frame->mac.x, s_0);
    wm_block_wipe(s_0);
    return WM_OK;
}

wm_status wm_ahead_nonce(const wm_frame_job *job, uint8_t nonce[13])
{
    wm_security sec;

    sec.cipher = NULL; /* not used for a nonce */
    sec.profile = job->profile;
    sec.nonce_form = job->nonce_form;
    wm_copy5(sec.asn, job->asn);
    sec.src_ext = job->src_ext;
    return wm_frame_nonce(&job->mhr, &sec, nonce);
}

/* One block of what is planned for a frame. An engine that fails may take long to do so, and nothing
 * tells how long: it is not asked again in this part of the slot, so that no event comes late. */
static bool work_on(wm_ahead *ahead, wm_ahead_frame *frame)
{
    bool made = false;
    wm_status status = WM_OK;

    if (!frame->known) {
        return false;
    }
    if (frame->made < frame->need) {
        status = wm_ahead_make(ahead, frame);
        made = true;
    } else if (frame->begun && frame->octets != NULL) {
        status = wm_ahead_absorb(ahead, frame, frame->octets, frame->end, &made);
    }
    if (status != WM_OK) {
        wm_ahead_plan_nothing(ahead);
        return false;
    }
    return made;
}

/* Ticks that the own frame is on the air, without its MIC. */
static uint16_t air_of_own(const wm_tsch *tsch)
{
    return wm_ahead_air((wm_psdu_len)(tsch->tx.len + WM_FCS_LEN));
}

/* Until when the node has nothing else to do. Work may go on into a frame that begins, for the radio
 * keeps its octets, and past the end of an Enh-Ack that was sent. */
static uint16_t free_until(const wm_ahead *ahead, const wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;
    const uint16_t frame = (uint16_t)(tsch->slot_start + t->ts_tx_offset);
    const uint16_t ack = (uint16_t)(tsch->frame_ended + t->ts_tx_ack_delay);

    switch (tsch->state) {
    case WM_TSCH_SLEEP:
        return tsch->slot_start;
    case WM_TSCH_TX_READY:
        return (uint16_t)(frame - wm_port_turnaround());
    case WM_TSCH_TX_FRAME:
        return (uint16_t)(frame + air_of_own(tsch) + FRAME_SPARE);
    case WM_TSCH_RX_WAIT:
        return (uint16_t)(frame - t->ts_rx_guard - wm_port_listen_ticks);
    case WM_TSCH_RX_LISTEN:
        return (uint16_t)(frame + WM_SFD_TICKS + ahead->block_ticks);
    case WM_TSCH_ACK_WAIT:
        return (uint16_t)(ack - t->ts_ack_guard - wm_port_listen_ticks);
    case WM_TSCH_ACK_LISTEN:
        return (uint16_t)(ack + WM_SFD_TICKS + ahead->block_ticks);
    case WM_TSCH_ACK_READY:
        return (uint16_t)(ack - wm_port_turnaround());
    case WM_TSCH_ACK_SEND:
        return (uint16_t)(ack + air_of_own(tsch) + ahead->block_ticks);
    default:
        return wm_port_ticks();
    }
}

/* The MIC of the frame that is loaded or on the air: one block, or all that is left of it. */
static bool work_on_leaving(wm_ahead *ahead, const wm_tsch *tsch)
{
    const wm_frame_job *job = ahead->leaving;
    wm_ahead_frame *data = ahead->leaves;
    bool made = true;
    wm_status status;

    if (wm_ahead_load_rest(ahead)) {
        return true;
    }
    do {
        status = wm_ahead_absorb(ahead, data, job->frame, job->len, &made);
    } while (status == WM_OK && made && tsch->state == WM_TSCH_TX_FRAME);
    if (status == WM_OK && !wm_ccm_mac_done(&data->mac)) {
        return true;
    }
    if (status == WM_OK) {
        status = wm_ahead_tag(ahead, data);
    }
    ahead->leaving = NULL; /* without a MIC the radio gives the frame up */
    if (status == WM_OK) {
        (void)wm_port_load_more(data->mac.x.octet, data->mic_len);
        wm_ahead_release(data);
    } else {
        wm_ahead_drop(ahead, data);
    }
    return true;
}

/* Whether so many ticks are free before `until`. */
static bool fits(uint16_t until, uint16_t ticks)
{
    return (int16_t)(until - wm_port_ticks()) > (int16_t)(ticks + STEP_MARGIN);
}

/* Whether so many ticks are free. */
static bool has_time(const wm_ahead *ahead, const wm_tsch *tsch, uint16_t ticks)
{
    return fits(free_until(ahead, tsch), ticks);
}

/* Parts of a slot in which the same is to do, each under the name of one of its states. */
static uint8_t part_of(const wm_tsch *tsch)
{
    const uint8_t state = tsch->state;

    if (state == WM_TSCH_RX_WAIT || state == WM_TSCH_RX_LISTEN) {
        return WM_TSCH_SLEEP;
    }
    if (state == WM_TSCH_TX_READY || state == WM_TSCH_ACK_WAIT || state == WM_TSCH_ACK_LISTEN) {
        return WM_TSCH_TX_FRAME;
    }
    return state == WM_TSCH_ACK_READY ? WM_TSCH_ACK_SEND : state;
}

static bool is_planned(const wm_ahead *ahead, const wm_tsch *tsch)
{
    return ahead->planned == part_of(tsch) && ahead->planned_asn == tsch->asn[4];
}

/* Nobody knows when a frame begins: then the board is asked after each block. */
static bool may_be_called(const wm_tsch *tsch)
{
    return tsch->state == WM_TSCH_RX_LISTEN || tsch->state == WM_TSCH_ACK_LISTEN;
}

/* What is planned for a frame, while there is time. */
static bool work_through(wm_ahead *ahead, const wm_tsch *tsch, wm_ahead_frame *frame,
                         uint16_t until)
{
    bool did = false;

    while (!(did && may_be_called(tsch)) && fits(until, ahead->block_ticks) &&
           work_on(ahead, frame)) {
        did = true;
    }
    return did;
}

static bool work_in_turn(wm_ahead *ahead, wm_tsch *tsch)
{
    const uint16_t until = free_until(ahead, tsch); /* no event comes meanwhile */
    bool did;

    if (!is_planned(ahead, tsch)) {
        const uint16_t begun = wm_port_ticks();
        if (!fits(until, ahead->plan_ticks)) {
            return false;
        }
        wm_ahead_plan_slot(ahead, tsch);
        ahead->planned = part_of(tsch);
        ahead->planned_asn = tsch->asn[4];
        wm_raise(&ahead->plan_ticks, (uint16_t)(wm_port_ticks() - begun));
    }
    did = work_through(ahead, tsch, &ahead->ack, until);
    if (did && may_be_called(tsch)) {
        return true;
    }
    return work_through(ahead, tsch, &ahead->data, until) || did;
}

/* A slot has ended with work that nobody asks for any more. */
static void clear_away(wm_ahead *ahead, wm_tsch *tsch)
{
    wm_ahead_give_up(ahead);
    if (ahead->followed) {
        ahead->followed = false;
        wm_wipe(tsch->rx_frame, sizeof tsch->rx_frame);
    }
    ahead->ack.loaded = false;
}

bool wm_ahead_work(wm_ahead *ahead, wm_tsch *tsch)
{
    if (tsch->config.level == 0) {
        return false;
    }
    if (tsch->state <= WM_TSCH_SCAN) { /* there is no cell to come that we know of */
        if (ahead->data.known || ahead->ack.known || ahead->data.used || ahead->ack.used) {
            wm_ahead_forget(ahead);
        }
        /* The first cell may have the ASN of the last one that was planned, modulo 256. */
        ahead->planned = WM_TSCH_OFF;
        tsch->prepares = true;
        ahead->peer.joins = true;
        return false;
    }
    if (wm_ahead_follows(tsch)) {
        if (!wm_ahead_has_verdict(ahead, tsch)) {
            wm_ahead_follow(ahead, tsch);
            ahead->planned = WM_TSCH_OFF;
            return true; /* its end has come meanwhile */
        }
        return false;
    }
    if (tsch->state == WM_TSCH_SLEEP && !is_planned(ahead, tsch)) {
        clear_away(ahead, tsch);
        wm_ahead_begin_cell(ahead, tsch);
    }
    if (ahead->leaving != NULL) {
        ahead->planned = WM_TSCH_OFF;
        return (tsch->state == WM_TSCH_TX_FRAME || has_time(ahead, tsch, ahead->block_ticks)) &&
               work_on_leaving(ahead, tsch);
    }
    return work_in_turn(ahead, tsch);
}
