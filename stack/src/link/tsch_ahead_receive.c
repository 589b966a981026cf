/* SPDX-License-Identifier: BSD-3-Clause */
/* wm_port_receive of a node that works ahead of the slot.
 *
 * A data frame of a cell and its Enh-Ack are taken while they arrive: header and policy first, then
 * each block is decrypted and authenticated as soon as it is there. At the end of the frame the last
 * block and the comparison are left. The plaintext lies in the engine's buffer. Until the verdict is
 * WM_OK nothing reads it but the CBC-MAC; on any other it is wiped at once, so that a frame that
 * never ends leaves nothing. Any other frame is taken as a whole when it has ended. */
#include <wardmote/ie.h>
#include "../util/xor.h"
#include "tsch_ahead.h"
#include "tsch_time.h"

/* FCF, sequence number, PAN identifier, two addresses, 14 octets of ASH, Time Correction IE */
#define HEAD_LEN (2 + 1 + 2 + 8 + 8 + WM_ASH_MAX + 4)
#define PSDU_MIN 4 /* FCF and FCS */
#define SEQ_END 3  /* FCF, sequence number */
#define IE_CONTENT                                                                                 \
    2 /* of the Time Correction IE: the last octets before the MIC, not parsed here */
#define AIR_MARGIN WM_TICKS_NEAR(122)
#define STRANGE 3                /* frames in a row, see gives_up */
#define IN_VAIN 4                /* times, see strange_most */
#define SILENCE 255              /* cells of a peer's without a frame: it may have begun anew */
#define LAST_BLOCKS 32           /* octets of m behind which the frame may have ended */
#define FIRST_BLOCK 14           /* octets of a in its first block */
#define FCF_SEQ_SUPPRESSED 0x01u /* of its second octet */
#define FCF_ACK_REQUEST 0x20u

bool wm_ahead_follows(const wm_tsch *tsch)
{
    return tsch->state == WM_TSCH_ACK_FRAME ||
           (tsch->state == WM_TSCH_RX_FRAME && tsch->config.role == WM_TSCH_ROOT);
}

/* A block of keystream that is still missing, while the octets up to `end` are still to come: if
 * they take longer. The frame's length is one more octet. */
static bool make_meanwhile(wm_ahead *ahead, const wm_tsch *tsch, wm_psdu_len end)
{
    wm_ahead_frame *frame = &ahead->data;
    const uint16_t until = (uint16_t)(tsch->frame_started + (1u + end) * WM_OCTET_TICKS_WHOLE);

    if (!frame->known || frame->made >= frame->need ||
        (int16_t)(until - wm_port_ticks()) < (int16_t)ahead->block_ticks) {
        return false;
    }
    if (wm_ahead_make(ahead, frame) != WM_OK) { /* nor is the engine asked again */
        wm_ahead_plan_nothing(ahead);
        return false;
    }
    return true;
}

/* The octets up to `end` are not there yet.
 *  @retval false  they do not come any more */
static bool wait_for(wm_ahead *ahead, const wm_tsch *tsch, wm_psdu_len end)
{
    return make_meanwhile(ahead, tsch, end) ||
           (uint16_t)(wm_port_ticks() - tsch->frame_started) <= ahead->patience;
}

/* Reads up to octet `end` of the frame, as they come.
 *  @retval false  they do not come any more */
static bool pull(wm_ahead *ahead, const wm_tsch *tsch, uint8_t *frame, wm_psdu_len end)
{
    while (ahead->read < end) {
        const wm_psdu_len got =
            wm_port_arrived(frame + ahead->read, (wm_psdu_len)(end - ahead->read));
        ahead->read = (wm_psdu_len)(ahead->read + got);
        if (got == 0 && !wait_for(ahead, tsch, end)) {
            return false;
        }
    }
    return true;
}

/* The length octet. */
static wm_status pull_length(wm_ahead *ahead, wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;
    const uint16_t most = tsch->state == WM_TSCH_ACK_FRAME ? t->ts_max_ack : t->ts_max_tx;
    uint8_t octet = 0;
    wm_psdu_len len;

    ahead->patience = (uint16_t)(most + AIR_MARGIN);
    ahead->read = 0;
    ahead->rests = false;
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

/* Octets before which a frame cannot be judged. */
static wm_psdu_len head_len(const wm_frame_job *job, wm_status parsed)
{
    return parsed != WM_OK || !job->mhr.security_enabled ? job->len : job->map.private_payload;
}

/* Behind the frame there is nothing to hear. */
static void rest_receiver(wm_ahead *ahead)
{
    if (!ahead->rests) {
        ahead->rests = true;
        wm_port_receiver_off();
    }
}

/* The rest of the frame, to its end.
 *  @retval false  it does not come any more */
static bool pull_rest(wm_ahead *ahead, const wm_tsch *tsch)
{
    if (!pull(ahead, tsch, tsch->rx.frame, (wm_psdu_len)(tsch->rx.len + WM_FCS_LEN))) {
        return false;
    }
    rest_receiver(ahead);
    return true;
}

/* Reads and parses the header. */
static wm_status pull_header(wm_ahead *ahead, wm_tsch *tsch)
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

/* Takes the rest of a frame that ends within so many ticks, before work that may last longer. A frame
 * that has ended for sure is only read: `patience` counts from the SFD, but has preamble and SFD in
 * it, and a tick and more is left for both clocks. */
static bool take_rest(wm_ahead *ahead, const wm_tsch *tsch, uint16_t ticks)
{
    const uint16_t since = (uint16_t)(wm_port_ticks() - tsch->frame_started);
    const uint16_t end = (uint16_t)(ahead->patience - AIR_MARGIN - WM_SFD_TICKS);

    if (since + ticks < end) {
        return true;
    }
    if (since > end + 1u) {
        rest_receiver(ahead);
    }
    return pull_rest(ahead, tsch);
}

/* Takes what is left of a. */
static wm_status take_a(wm_ahead *ahead, const wm_tsch *tsch, wm_ahead_frame *frame)
{
    uint8_t *octets = tsch->rx.frame;
    wm_status status = wm_ahead_absorb_all(ahead, frame, octets, 0); /* B_0 */

    while (frame->at < frame->a_len && status == WM_OK) {
        wm_psdu_len next = (wm_psdu_len)(frame->at + 16u - frame->mac.fill);
        next = next < frame->a_len ? next : frame->a_len;
        if (!pull(ahead, tsch, octets, next)) {
            return WM_ERR_MALFORMED;
        }
        status = wm_ahead_absorb_all(ahead, frame, octets, next);
    }
    return status;
}

/* Octets of a block become plaintext, and go into the CBC-MAC. */
static void take_octets(wm_ahead_frame *frame, const uint8_t *stream, uint8_t *m, uint8_t len)
{
    wm_xor(m, stream, len);
    if (frame->mic_len != 0) {
        (void)wm_ccm_mac_take(&frame->mac, m, len);
    }
}

/* Reads a block of m, up to octet `end`, which ends `left` octets of m. Of the last ones the receiver
 * rather waits for the end of the frame than stays on for half a block of AES. */
static bool pull_block(wm_ahead *ahead, const wm_tsch *tsch, wm_psdu_len end, wm_psdu_len left)
{
    const uint16_t near = ahead->block_ticks / 2u;

    if (left > LAST_BLOCKS) {
        return pull(ahead, tsch, tsch->rx.frame, end);
    }
    return take_rest(ahead, tsch, near) && pull(ahead, tsch, tsch->rx.frame, end) &&
           take_rest(ahead, tsch, near);
}

/* Takes m. Keystream is wiped block by block. */
static wm_status take_m(wm_ahead *ahead, const wm_tsch *tsch, wm_ahead_frame *frame,
                        const wm_frame_split *split)
{
    const wm_cipher *cipher = wm_port_cipher(frame->key_slot);
    wm_block128 *stream = wm_ahead_stream(ahead, frame);
    wm_psdu_len at = split->m_start;
    wm_psdu_len left = split->m_len;
    wm_psdu_len number = 1;
    wm_status status = WM_OK;

    frame->mic_len = split->mic_len;
    while (left != 0 && status == WM_OK) {
        const uint8_t len = left < 16 ? (uint8_t)left : 16;
        while (frame->made <= number && status == WM_OK) {
            status = wm_ahead_make(ahead, frame);
        }
        if (status != WM_OK) {
            break;
        }
        if (!pull_block(ahead, tsch, (wm_psdu_len)(at + len), left)) {
            return WM_ERR_MALFORMED;
        }
        take_octets(frame, stream[number].octet, tsch->rx.frame + at, len);
        if (split->mic_len != 0) {
            status = wm_ccm_mac_step(&frame->mac, cipher);
            ahead->made++;
        }
        wm_block_wipe(&stream[number]);
        number++;
        at = (wm_psdu_len)(at + len);
        left = (wm_psdu_len)(left - len);
    }
    return status;
}

/* The rest of the frame, and what comes of it. */
static wm_status judge(wm_ahead *ahead, const wm_tsch *tsch, wm_ahead_frame *frame,
                       const wm_frame_split *split)
{
    const uint8_t *mic = tsch->rx.frame + split->m_start + split->m_len;
    wm_status status = WM_OK;

    if (split->mic_len != 0) {
        status = wm_ahead_tag(ahead, frame);
    }
    if (!pull_rest(ahead, tsch)) {
        return WM_ERR_MALFORMED;
    }
    if (status != WM_OK) {
        return status;
    }
    if (!wm_port_fcs_right(tsch->rx.frame + tsch->rx.len)) {
        return WM_ERR_FCS;
    }
    if (split->mic_len == 0) {
        return WM_NOT_AUTHENTICATED;
    }
    return wm_ct_diff(frame->mac.x.octet, mic, split->mic_len) == 0 ? WM_OK : WM_ERR_SECURITY;
}

static uint16_t end_of_slot(const wm_tsch *tsch)
{
    return (uint16_t)(tsch->slot_start + tsch->config.timing.ts_slot_duration);
}

/* Until when a frame has to be judged: an Enh-Ack has to be sent, or the slot ends. */
static uint16_t answer_due(const wm_tsch *tsch)
{
    if (tsch->state != WM_TSCH_RX_FRAME) {
        return end_of_slot(tsch);
    }
    return (uint16_t)(tsch->frame_started - WM_SFD_TICKS + wm_ahead_air(tsch->rx.len) +
                      tsch->config.timing.ts_tx_ack_delay - wm_port_turnaround());
}

/* Whether the blocks of a frame that are missing can be made until then. Work on a frame that would be
 * late would take the time of the next, which would be late too. */
static bool fits_until(const wm_ahead *ahead, const wm_ahead_frame *frame,
                       const wm_frame_split *split, uint16_t until)
{
    const wm_psdu_len need = wm_ahead_need(split->m_len);
    uint16_t blocks = split->mic_len != 0 ? wm_ahead_mac_blocks(&frame->mac) : 0;

    if (frame->made < need) {
        blocks = (uint16_t)(blocks + need - frame->made);
    }
    until = (uint16_t)(until - wm_port_ticks());
    return until <= INT16_MAX && wm_ahead_ticks(ahead, blocks) < until; /* it may have passed */
}

/* Frames in a row that were late, from which on one is worked on although that costs the next slot:
 * twice as many after each that said nothing. */
static uint8_t strange_most(const wm_ahead_peer *peer)
{
    return (uint8_t)((unsigned)STRANGE << peer->in_vain);
}

/* A frame that would be late is given up. But if this node does not know which counter its peer uses,
 * it has to learn it from a frame that is authenticated, not from a header that anybody can write. So
 * until a frame of the peer's was authenticated, after a long silence, and after STRANGE frames in a
 * row that it did not expect, it does the work on a late frame too, if the slot has the time, and for
 * the plan of the next. */
static bool gives_up(wm_ahead *ahead, wm_tsch *tsch, const wm_ahead_frame *frame,
                     const wm_frame_split *split)
{
    wm_ahead_peer *peer = &ahead->peer;

    wm_count(tsch->state == WM_TSCH_RX_FRAME ? &tsch->stats.late_tx_ack_delay
                                             : &tsch->stats.late_slot);
    if (split->mic_len == 0) { /* there is nothing but the header to learn from */
        peer->proved = true;
        return true;
    }
    peer->late = true;
    if (peer->strange != UINT8_MAX) {
        peer->strange++;
    }
    if (peer->heard && peer->passed < SILENCE && peer->strange < STRANGE) {
        return true;
    }
    if (fits_until(ahead, frame, split, (uint16_t)(end_of_slot(tsch) - 2u * ahead->plan_ticks))) {
        return false;
    }
    if (peer->strange < strange_most(peer)) {
        return true;
    }
    peer->strange = 0;
    if (peer->in_vain != IN_VAIN) {
        peer->in_vain++;
    }
    return false;
}

/* a, m and MIC of a frame that is admitted, as they come, and what comes of it. */
static wm_status take(wm_ahead *ahead, wm_tsch *tsch, wm_ahead_frame *frame,
                      const wm_frame_split *split)
{
    wm_status status = WM_OK;

    if (split->mic_len != 0) {
        status = take_a(ahead, tsch, frame);
    }
    if (status == WM_OK && !pull(ahead, tsch, tsch->rx.frame, split->m_start)) {
        status = WM_ERR_MALFORMED;
    }
    if (status == WM_OK) {
        status = take_m(ahead, tsch, frame, split);
    }
    if (status != WM_OK) {
        wm_ahead_drop(ahead, frame);
        return status;
    }
    status = judge(ahead, tsch, frame, split);
    if (status >= 0) {
        ahead->peer.proved = true;
    }
    if (status != WM_OK) {
        wm_block_wipe(&frame->mac.x); /* the right tag of a wrong frame */
    }
    tsch->rx.len = (wm_psdu_len)(tsch->rx.len - split->mic_len);
    wm_ahead_release(frame);
    return status;
}

/* A frame that is admitted. `guessed`: what `frame->mac` holds are octets of it. */
static wm_status unsecure(wm_ahead *ahead, wm_tsch *tsch, wm_ahead_frame *frame, bool guessed)
{
    wm_frame_job *job = &tsch->rx;
    wm_ahead_plan plan;
    bool late;
    wm_status status =
        wm_frame_split_secured(&job->mhr, &job->map, job->profile, job->len, &plan.split);

    if (status == WM_OK) {
        status = wm_ahead_nonce(job, plan.nonce);
    }
    if (status != WM_OK) {
        return status;
    }
    if (wm_ahead_need(plan.split.m_len) > wm_ahead_room(ahead, frame)) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    wm_ahead_belong(ahead, frame, job->key_slot, plan.nonce);
    wm_ahead_trim(ahead, frame, wm_ahead_need(plan.split.m_len));
    if (plan.split.mic_len != 0) {
        wm_ahead_begin(frame, &plan.split, guessed);
    }
    late = !fits_until(ahead, frame, &plan.split, answer_due(tsch));
    if (late && gives_up(ahead, tsch, frame, &plan.split)) {
        wm_ahead_wipe(ahead, frame); /* unused */
        return WM_ERR_STATE;
    }
    status = take(ahead, tsch, frame, &plan.split);
    return late && status >= 0 ? WM_ERR_STATE : status;
}

/* Whether the next frame may be in time. To a late one there is no answer, and the time is better spent
 * on its MIC. */
static bool may_answer(const wm_ahead_peer *peer)
{
    return peer->heard || peer->strange < STRANGE - 1;
}

/* The Enh-Ack to a data frame, while its header arrives: its sequence number is there. If the frame is
 * not what it seems to be, it is refused, and so is the answer. */
static bool answer_early(wm_ahead *ahead, wm_tsch *tsch)
{
    const uint8_t *frame = tsch->rx.frame;

    if (!pull(ahead, tsch, tsch->rx.frame, SEQ_END)) {
        return false;
    }
    if ((frame[0] & FCF_ACK_REQUEST) != 0 && (frame[1] & FCF_SEQ_SUPPRESSED) == 0) {
        tsch->rx.mhr.seq = frame[2];
        wm_ahead_prepare_answer(ahead, tsch);
    }
    return true;
}

/* Takes octets of the header into the CBC-MAC before it is parsed, as if it were the frame to come. If
 * the header says something else, the CBC-MAC begins again. */
static bool absorb_header(wm_ahead *ahead, const wm_tsch *tsch, wm_ahead_frame *frame)
{
    wm_frame_split split;
    wm_psdu_len end = FIRST_BLOCK;

    if (!frame->known || wm_level_mic_len(tsch->config.level) == 0 ||
        !wm_ahead_forecast(tsch, frame == &ahead->data, tsch->rx.len, &split)) {
        return false;
    }
    wm_ahead_begin(frame, &split, false);
    while (end <= split.a_len && end < HEAD_LEN) {
        if (wm_ahead_absorb_all(ahead, frame, tsch->rx.frame, 0) != WM_OK || /* B_0 */
            !pull(ahead, tsch, tsch->rx.frame, end) ||
            wm_ahead_absorb_all(ahead, frame, tsch->rx.frame, end) != WM_OK) {
            return false;
        }
        end = (wm_psdu_len)(end + 16u);
    }
    return true;
}

static wm_status follow(wm_ahead *ahead, wm_tsch *tsch)
{
    const bool data = tsch->state == WM_TSCH_RX_FRAME;
    wm_ahead_frame *frame = data ? &ahead->data : &ahead->ack;
    wm_frame_job *job = &tsch->rx;
    wm_status status = pull_length(ahead, tsch);
    bool guessed;

    if (status == WM_OK && data && may_answer(&ahead->peer) && !answer_early(ahead, tsch)) {
        status = WM_ERR_MALFORMED;
    }
    if (status != WM_OK) {
        return status;
    }
    guessed = absorb_header(ahead, tsch, frame);
    status = pull_header(ahead, tsch);
    if (status == WM_OK && !data && !take_rest(ahead, tsch, ahead->block_ticks / 2u)) {
        status = WM_ERR_MALFORMED;
    }
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    /* An Enh-Ack is nearly all header. What is left to do takes about as long as to plan. */
    if (status == WM_OK && !data && !take_rest(ahead, tsch, ahead->plan_ticks)) {
        status = WM_ERR_MALFORMED;
    }
    if (status == WM_OK) {
        status = unsecure(ahead, tsch, frame, guessed);
    }
    return status;
}

/* A frame that was taken and never ended leaves nothing to the next. */
static void forget_another(wm_ahead *ahead, wm_tsch *tsch)
{
    if (ahead->followed && !wm_ahead_has_verdict(ahead, tsch)) {
        ahead->followed = false;
        wm_wipe(tsch->rx_frame, sizeof tsch->rx_frame);
    }
}

void wm_ahead_follow(wm_ahead *ahead, wm_tsch *tsch)
{
    forget_another(ahead, tsch);
    wm_ahead_give_up(ahead); /* the Enh-Ack of this frame has the place of a beacon that is late */
    ahead->verdict = follow(ahead, tsch);
    ahead->followed = true;
    ahead->followed_tick = tsch->frame_started;
    ahead->followed_asn[0] = tsch->asn[3];
    ahead->followed_asn[1] = tsch->asn[4];
    if (ahead->verdict < 0) {
        wm_wipe(tsch->rx_frame, sizeof tsch->rx_frame);
    }
}

/* Takes octets of a frame that has arrived. */
static bool take_arrived(uint8_t *to, wm_psdu_len len)
{
    while (len != 0) {
        const wm_psdu_len got = wm_port_arrived(to, len);
        if (got == 0) {
            return false;
        }
        to += got;
        len = (wm_psdu_len)(len - got);
    }
    return true;
}

/* Takes a whole frame out of the radio. */
static wm_status take_whole(wm_frame_job *job)
{
    uint8_t octet = 0;
    wm_psdu_len len;
    uint8_t fcs[WM_FCS_LEN];

    if (wm_port_arrived(&octet, 1) != 1) {
        return WM_ERR_MALFORMED;
    }
    len = octet;
    if (len < PSDU_MIN || len > WM_PSDU_MAX) {
        return WM_ERR_MALFORMED;
    }
    job->len = (wm_psdu_len)(len - WM_FCS_LEN);
    if (!take_arrived(job->frame, job->len) || !take_arrived(fcs, WM_FCS_LEN)) {
        return WM_ERR_MALFORMED;
    }
    return wm_port_fcs_right(fcs) ? wm_frame_parse(job->frame, job->len, &job->mhr, &job->map)
                                  : WM_ERR_FCS;
}

static wm_status receive_whole(const wm_tsch *tsch, wm_frame_job *job)
{
    wm_security sec;
    uint8_t i;
    wm_status status = take_whole(job);

    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    if (status != WM_OK) {
        return status;
    }
    if (!job->mhr.security_enabled) {
        return WM_NOT_SECURED;
    }
    sec.cipher = wm_port_cipher(job->key_slot);
    sec.profile = job->profile;
    sec.nonce_form = job->nonce_form;
    for (i = 0; i < 5; i++) {
        sec.asn[i] = job->asn[i];
    }
    sec.src_ext = job->src_ext;
    return wm_frame_unsecure_as(&sec, &job->mhr, &job->map, job->frame, &job->len);
}

wm_status wm_ahead_receive(wm_ahead *ahead, wm_tsch *tsch, wm_frame_job *job)
{
    const bool known = wm_ahead_has_verdict(ahead, tsch);
    wm_status status;

    forget_another(ahead, tsch);
    status = known ? ahead->verdict : receive_whole(tsch, job);

    ahead->followed = false;
    if (status < 0) {
        ahead->ack.loaded = false;
        wm_wipe(job->frame, WM_PSDU_MAX);
        wm_port_drop();
    }
    return status;
}
