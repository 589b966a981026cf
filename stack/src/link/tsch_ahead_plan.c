/* SPDX-License-Identifier: BSD-3-Clause */
/* Work ahead of the slot: which frames are to come, and what is known of them.
 *
 * References: IEEE 802.15.4-2015 9.3 (nonces), 6.2.6 (slotframes). What is forecast here saves time if
 * it is right. The use of a keystream compares key and nonce with those of the frame, so a forecast
 * that is wrong costs time only. */
#include <wardmote/ie.h>
#include <wardmote/octets.h>
#include "../util/octets8.h"
#include "tsch_ahead.h"
#include "tsch_time.h"

/* The least counter that is acceptable from the peer. */
static uint32_t least_counter(const wm_tsch *tsch)
{
    const uint32_t beacons = tsch->rx_counter[WM_KEY_BEACON];
    const uint32_t others = tsch->rx_counter[WM_KEY_DATA];

    return beacons > others ? beacons : others;
}

static uint32_t expected_counter(const wm_ahead *ahead, const wm_tsch *tsch)
{
    const wm_ahead_peer *peer = &ahead->peer;

    if (!peer->heard) {
        return least_counter(tsch);
    }
    return peer->thrifty ? peer->next : peer->next + peer->passed;
}

static uint8_t expected_number(const wm_ahead_peer *peer)
{
    return (uint8_t)(peer->seq + 1u + (peer->quiet || !peer->heard ? 0u : peer->passed));
}

static void believe(wm_ahead_peer *peer, const wm_mhr *mhr)
{
    const uint32_t gap = mhr->ash.frame_counter - peer->next;
    const uint8_t numbers = (uint8_t)(mhr->seq - peer->seq - 1u);

    if (peer->heard && peer->passed != 0) {
        if (gap == 0 || gap == peer->passed) {
            peer->thrifty = gap == 0;
        }
        if (numbers == 0 || numbers == (uint8_t)peer->passed) {
            peer->quiet = numbers == 0;
        }
    }
    peer->next = mhr->ash.frame_counter + 1u;
    peer->seq = mhr->seq;
    peer->passed = 0;
    peer->strange = 0;
    peer->heard = true;
    peer->answered = true;
}

/* What the latest frame says, if it is authenticated. Done when there is time for it. A frame that was
 * given up as late is believed if it is newer than all before: its counter was not stored, so whoever
 * sends it again is admitted again. */
static void learn(wm_ahead_peer *peer, const wm_mhr *mhr)
{
    if (!peer->proved) {
        peer->late = false;
        return;
    }
    peer->proved = false;
    if (mhr->ash.counter_suppressed || mhr->ash.frame_counter >= peer->least_late) {
        peer->least_late = mhr->ash.frame_counter + 1u;
    } else if (peer->late) {
        peer->late = false;
        return;
    }
    if (peer->late) {
        peer->late = false;
        peer->in_vain = 0;
    }
    believe(peer, mhr);
}

/* What a beacon says, which is taken as a whole: once, so that one with a false counter, under a key
 * that everybody knows, does not outweigh every Enh-Ack from then on. */
static void heed_beacon(wm_ahead_peer *peer, uint32_t least)
{
    if (least != peer->least && least > peer->next) {
        peer->next = least;
        peer->passed = 0;
        peer->heard = true;
    }
    peer->least = least;
}

/* Cells between that of `peer->offset` and this one. */
typedef struct {
    uint16_t data;
    uint16_t beacon;
} skipped_cells;

static uint16_t at_most(uint16_t offset, uint16_t most)
{
    return offset < most ? offset : most;
}

static skipped_cells count_skipped(const wm_ahead_peer *peer, const wm_tsch *tsch)
{
    const uint16_t cells =
        at_most(tsch->config.data_cells, (uint16_t)(tsch->config.slotframe_length - 1u));
    const uint16_t now = tsch->slot_offset;
    const uint16_t before = at_most(now == 0 ? 0 : (uint16_t)(now - 1u), cells);
    const uint16_t since = at_most(peer->offset, cells);
    skipped_cells skipped = {0, 0};

    if (now > peer->offset) {
        skipped.data = (uint16_t)(before - since);
    } else {
        skipped.data = (uint16_t)(cells - since + before);
        skipped.beacon = now != 0 ? 1 : 0;
    }
    return skipped;
}

/* Counts `cells` of the peer's. */
static void pass(wm_ahead_peer *peer, uint16_t cells)
{
    if (peer->passed <= UINT32_MAX - cells) {
        peer->passed += cells;
    }
}

/* Uses up counters and numbers of cells in which this node sent nothing. */
static void spend_counters(wm_tsch *tsch, uint16_t cells)
{
    if (tsch->config.counter_carried && tsch->tx_counter <= UINT32_MAX - cells) {
        tsch->tx_counter += cells;
    }
}

static void spend_numbers(wm_tsch *tsch, uint16_t cells)
{
    tsch->seq = (uint8_t)(tsch->seq + cells);
}

/* The latest cell has passed. */
static void count_cell(wm_ahead_peer *peer, wm_tsch *tsch)
{
    if (peer->sends && !peer->answered) {
        pass(peer, 1);
    }
    peer->answered = false;
    if (peer->spends && tsch->tx_counter == peer->own) {
        spend_counters(tsch, 1);
    }
    if (peer->spends && tsch->seq == peer->own_seq) {
        spend_numbers(tsch, 1);
    }
}

/* So have cells that a slot too long for its work has cost. */
static void count_skipped_cells(wm_ahead_peer *peer, wm_tsch *tsch, bool root)
{
    const skipped_cells skipped = count_skipped(peer, tsch);
    const uint16_t all = (uint16_t)(skipped.data + skipped.beacon);
    const uint16_t spent = root ? all : skipped.data;

    pass(peer, root ? skipped.data : all);
    spend_counters(tsch, spent);
    spend_numbers(tsch, spent);
}

void wm_ahead_begin_cell(wm_ahead *ahead, wm_tsch *tsch)
{
    wm_ahead_peer *peer = &ahead->peer;
    const bool root = tsch->config.role == WM_TSCH_ROOT;
    const uint16_t cell = wm_load_be16(tsch->asn + 3);
    const bool any = !wm_tsch_slot_empty(tsch);

    if (peer->joins) { /* the beacon of this slotframe was heard */
        peer->next = least_counter(tsch);
        peer->least = tsch->rx_counter[WM_KEY_BEACON];
        peer->passed = tsch->slot_offset > 1 ? tsch->slot_offset - 1u : 0;
        peer->heard = !root;
        peer->answered = false;
        peer->late = false;
        peer->proved = false;
    } else if (cell != peer->begun) {
        learn(peer, &tsch->rx.mhr);
        count_cell(peer, tsch);
        if (!root && peer->offset == 0) {
            heed_beacon(peer, tsch->rx_counter[WM_KEY_BEACON]);
        }
        if ((uint16_t)(peer->offset + 1u) != tsch->slot_offset) {
            count_skipped_cells(peer, tsch, root);
        }
    } else {
        return;
    }
    peer->joins = false;
    peer->begun = cell;
    peer->offset = tsch->slot_offset;
    peer->own = tsch->tx_counter;
    peer->own_seq = tsch->seq;
    peer->sends = any && (!root || tsch->slot_offset != 0);
    peer->spends = any && (root || tsch->slot_offset != 0);
}

/* Nonce of a frame of the cell `cells` ahead. The counter is the sender's next as far as this node
 * knows; if it is another one, the frame that is built or arrives says so, and the keystream goes. */
static bool forecast_nonce(const wm_ahead *ahead, const wm_tsch *tsch, bool own, uint16_t cells,
                           uint8_t nonce[13])
{
    const wm_tsch_config *config = &tsch->config;
    wm_frame_job job;

    job.mhr.security_enabled = true;
    job.mhr.src.mode = WM_ADDR_EXT;
    wm_copy8(job.mhr.src.octet, own ? config->eui64 : config->peer);
    job.mhr.ash.level = config->level;
    job.mhr.ash.counter_suppressed = !config->counter_carried;
    job.mhr.ash.asn_in_nonce = !config->counter_carried;
    job.mhr.ash.frame_counter = own ? tsch->tx_counter : expected_counter(ahead, tsch);
    job.profile = (wm_profile)config->profile;
    job.nonce_form = config->counter_carried ? WM_NONCE_COUNTER : WM_NONCE_ASN;
    job.src_ext = own ? config->eui64 : config->peer;
    wm_copy5(job.asn, tsch->asn);
    wm_asn_add(job.asn, cells);
    return wm_ahead_nonce(&job, nonce) == WM_OK;
}

/* How many slots ahead the next cell is in which this node will have a data frame to send or to hear:
 * the next slot, or the one behind the beacon's. 0: neither. */
static uint16_t next_cell(const wm_tsch *tsch)
{
    const wm_tsch_config *config = &tsch->config;
    const uint16_t next = (uint16_t)(tsch->slot_offset + 1u);

    if (config->role == WM_TSCH_LEAF && tsch->skipped != 0) {
        return 0;
    }
    if (next == config->slotframe_length) {
        return 2;
    }
    return next <= config->data_cells ? 1 : 0;
}

#define NO_CELL 0xFFFFu

/* For which cell the data frame is made: so many slots ahead, 0 for this one, or NO_CELL. */
static uint16_t data_cell(const wm_tsch *tsch)
{
    const bool own = tsch->config.role == WM_TSCH_LEAF;
    uint16_t next = next_cell(tsch);

    next = next != 0 ? next : NO_CELL;
    switch (tsch->state) {
    case WM_TSCH_SLEEP:
        if (tsch->slot_offset != 0) {
            return tsch->slot_used ? 0 : NO_CELL;
        }
        return next;
    case WM_TSCH_RX_WAIT:
    case WM_TSCH_RX_LISTEN:
        return own ? next : 0; /* a leaf hears beacons */
    case WM_TSCH_TX_READY:
    case WM_TSCH_TX_FRAME:
    case WM_TSCH_ACK_WAIT:
    case WM_TSCH_ACK_LISTEN:
    case WM_TSCH_ACK_READY:
    case WM_TSCH_ACK_SEND:
        return next;
    default:
        return NO_CELL;
    }
}

static bool ack_turn(const wm_tsch *tsch)
{
    if (!tsch->slot_used || tsch->slot_offset == 0) {
        return false;
    }
    switch (tsch->state) {
    case WM_TSCH_SLEEP:
    case WM_TSCH_RX_WAIT:
    case WM_TSCH_RX_LISTEN:
        return true;
    case WM_TSCH_TX_READY:
    case WM_TSCH_TX_FRAME:
    case WM_TSCH_ACK_WAIT:
    case WM_TSCH_ACK_LISTEN:
        return tsch->config.role == WM_TSCH_LEAF;
    default:
        return false;
    }
}

bool wm_ahead_forecast(const wm_tsch *tsch, bool data, wm_psdu_len len, wm_frame_split *split)
{
    const uint8_t level = tsch->config.level;
    const wm_psdu_len header = wm_ahead_header_len(tsch);
    wm_psdu_len clear = header;

    split->mic_len = wm_level_mic_len(level);
    if (len < header + split->mic_len) {
        return false;
    }
    if (!data || level < 4) {
        clear = (wm_psdu_len)(len - split->mic_len);
    }
    split->a_len = clear;
    split->m_start = clear;
    split->m_len = (wm_psdu_len)(len - split->mic_len - clear);
    return true;
}

/* Split of the data frame to come: as long as this configuration says, or empty. */
static bool forecast_data(const wm_tsch *tsch, bool empty, wm_frame_split *split)
{
    const wm_tsch_config *config = &tsch->config;
    wm_psdu_len len = (wm_psdu_len)(config->frame_len - WM_FCS_LEN);

    if (empty) {
        len = (wm_psdu_len)(wm_ahead_header_len(tsch) + wm_level_mic_len(config->level));
    }
    return wm_ahead_forecast(tsch, true, len, split);
}

/* Split of an Enh-Ack: all of it is a (2015 9.3.5.2). */
static bool forecast_ack(const wm_tsch *tsch, wm_frame_split *split)
{
    return wm_ahead_forecast(tsch, false,
                             (wm_psdu_len)(wm_ahead_header_len(tsch) + WM_TIME_CORRECTION_LEN +
                                           wm_level_mic_len(tsch->config.level)),
                             split);
}

/* Makes `frame` that of a frame of the cell `cells` ahead. A nonce is made again only if the ASN or the
 * counter has changed, by their low 16 bits: the use compares all of it.
 *  @retval WM_ERR_COUNTER  there is none */
static wm_status look_up_nonce(wm_ahead *ahead, const wm_tsch *tsch, wm_ahead_frame *frame,
                               bool own, uint16_t cells)
{
    uint16_t counter = 0;
    const uint16_t cell = (uint16_t)(wm_load_be16(tsch->asn + 3) + cells);
    uint8_t nonce[13];

    if (tsch->config.counter_carried) {
        counter = (uint16_t)(own ? tsch->tx_counter : expected_counter(ahead, tsch));
    }
    if (frame->known && frame->cell == cell && frame->counter == counter &&
        frame->key_slot == WM_KEY_DATA) {
        return WM_OK;
    }
    if (!forecast_nonce(ahead, tsch, own, cells, nonce)) {
        return WM_ERR_COUNTER;
    }
    (void)wm_ahead_belong(ahead, frame, WM_KEY_DATA, nonce);
    frame->cell = cell;
    frame->counter = counter;
    return WM_OK;
}

/* An Enh-Ack of this slot: S_0, B_0, and of one's own what is known before the frame. */
static void plan_ack(wm_ahead *ahead, wm_tsch *tsch)
{
    const bool own = tsch->config.role == WM_TSCH_ROOT;
    wm_ahead_frame *ack = &ahead->ack;
    wm_frame_split split;

    if (ack->loaded || !ack_turn(tsch) || !forecast_ack(tsch, &split) || split.mic_len == 0 ||
        look_up_nonce(ahead, tsch, ack, own, 0) < 0) {
        return;
    }
    if (own) {
        wm_tsch_expect_answer(tsch, expected_number(&ahead->peer));
    }
    wm_ahead_begin(ack, &split, own && ack->seq == tsch->tx.mhr.seq);
    ack->seq = tsch->tx.mhr.seq;
    ack->need = 1;
    ack->octets = tsch->tx_frame;
    ack->end = own ? tsch->tx.map.header_ie : 0;
}

/* The Enhanced Beacon of the slot to come: S_0 and all of its CBC-MAC. */
static void plan_beacon(wm_ahead *ahead, wm_tsch *tsch)
{
    wm_ahead_frame *frame = &ahead->ack;
    wm_frame_job *job = &tsch->tx;
    wm_ahead_plan plan;

    if (tsch->state != WM_TSCH_SLEEP || tsch->config.role != WM_TSCH_ROOT || !tsch->slot_used ||
        tsch->slot_offset != 0) {
        return;
    }
    wm_tsch_expect_beacon(tsch);
    if (wm_ahead_nonce(job, plan.nonce) != WM_OK ||
        wm_frame_split_clear(&job->mhr, &job->map, job->profile, job->len, &plan.split) != WM_OK ||
        plan.split.m_len != 0) {
        return;
    }
    (void)wm_ahead_belong(ahead, frame, WM_KEY_BEACON, plan.nonce);
    wm_ahead_begin(frame, &plan.split, frame->seq == job->mhr.seq);
    frame->seq = job->mhr.seq;
    frame->need = 1;
    frame->octets = job->frame;
    frame->end = job->len;
}

/* A data frame: keystream; of one's own the header too, once it is built; of the peer's B_0. */
static void plan_data(wm_ahead *ahead, wm_tsch *tsch)
{
    const bool own = tsch->config.role == WM_TSCH_LEAF;
    const uint16_t cell = data_cell(tsch);
    wm_ahead_frame *data = &ahead->data;
    wm_frame_split split;

    if (cell == NO_CELL || look_up_nonce(ahead, tsch, data, own, cell) < 0) {
        return;
    }
    if (own && cell == 0 && wm_tsch_build_ahead(tsch) != WM_OK) {
        return;
    }
    if (!forecast_data(tsch, own && cell == 0 && tsch->empty, &split) ||
        wm_ahead_need(split.m_len) > WM_AHEAD_BLOCKS) {
        return;
    }
    data->need = wm_ahead_need(split.m_len);
    data->octets = tsch->tx_frame;
    data->end = 0;
    if (cell == 0 && split.mic_len != 0) {
        wm_ahead_begin(data, &split, own && data->seq == tsch->seq);
        data->seq = tsch->seq;
        data->end = own ? tsch->tx.map.private_payload : 0;
    }
}

void wm_ahead_plan_nothing(wm_ahead *ahead)
{
    ahead->ack.need = 0;
    ahead->ack.octets = NULL;
    ahead->data.need = 0;
    ahead->data.octets = NULL;
}

void wm_ahead_plan_slot(wm_ahead *ahead, wm_tsch *tsch)
{
    learn(&ahead->peer, &tsch->rx.mhr);
    wm_ahead_plan_nothing(ahead);
    plan_ack(ahead, tsch);
    plan_beacon(ahead, tsch);
    plan_data(ahead, tsch);
    wm_ahead_clear_used(ahead, &ahead->ack); /* and nobody's yet */
    wm_ahead_clear_used(ahead, &ahead->data);
}
