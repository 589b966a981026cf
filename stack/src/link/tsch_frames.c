/* SPDX-License-Identifier: BSD-3-Clause */
/* The three frames of the engine, and what every frame on its way in or out has in common.
 *
 * References: IEEE 802.15.4-2015 7.3.2 (data), 7.3.3 (Enh-Ack), 7.3.1 (Enhanced Beacon), 9.4 (ASH),
 * 9.2.2 (counter). A data frame is built in its slot, key lookup, header and payload: nobody knows
 * it before. Headers of Enh-Ack and EB are built before the slot; in it only octets that change are
 * written, because those cycles are part of TsTxAckDelay. Version 2 with two extended addresses:
 * FCF 2 | sequence number 1 | PAN 2 | 8 | 8 | ASH. */
#include <wardmote/eb.h>
#include <wardmote/ie.h>
#include "../util/compiler.h"
#include "../util/octets8.h"
#include "tsch_engine.h"
#include "tsch_time.h"
#include <wardmote/octets.h>

#define SEQ_OFFSET 2u

/* The key of a slot, as the ASH names it. */
static void name_key(const wm_tsch_config *config, uint8_t key_slot, wm_ash *ash)
{
    ash->key_id_mode = config->key_id_mode;
    wm_copy8(ash->key_source, config->key_source);
    ash->key_index = key_slot == WM_KEY_BEACON ? config->beacon_key_index : config->data_key_index;
}

/* Values that all frames of this node share. */
static void common_header(wm_tsch *tsch, uint8_t type, uint8_t key_slot)
{
    const wm_tsch_config *config = &tsch->config;
    wm_frame_job *job = &tsch->tx;
    wm_mhr *mhr = &job->mhr;
    wm_ash *ash = &mhr->ash;

    job->frame = tsch->tx_frame;
    job->key_slot = key_slot;
    job->profile = (wm_profile)config->profile;
    job->nonce_form = config->counter_carried ? WM_NONCE_COUNTER : WM_NONCE_ASN;
    job->src_ext = config->eui64;
    mhr->type = type;
    mhr->version = WM_VERSION_2015;
    mhr->security_enabled = config->level != 0;
    mhr->frame_pending = false;
    mhr->ack_request = type == WM_FRAME_DATA;
    /* short to extended: one PAN identifier (table 7-2) */
    mhr->pan_id_compression = type == WM_FRAME_BEACON;
    mhr->seq_suppressed = false;
    mhr->ie_present = type != WM_FRAME_DATA;
    mhr->seq = 0;
    mhr->dst_pan_present = true;
    mhr->src_pan_present = false;
    mhr->dst_pan = config->pan;
    mhr->src_pan = config->pan;
    mhr->src.mode = WM_ADDR_EXT;
    wm_copy8(mhr->src.octet, config->eui64);
    mhr->dst.mode = WM_ADDR_EXT;
    wm_copy8(mhr->dst.octet, config->peer);
    ash->level = key_slot == WM_KEY_BEACON ? WM_EB_LEVEL : config->level;
    ash->counter_suppressed = !config->counter_carried;
    ash->asn_in_nonce = !config->counter_carried;
    ash->frame_counter = 0;
    name_key(config, key_slot, ash);
}

/* What changes from slot to slot. */
static void fill_in(wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->tx;

    job->mhr.seq = tsch->seq;
    if (job->nonce_form == WM_NONCE_COUNTER) {
        job->mhr.ash.frame_counter = tsch->tx_counter;
    } else {
        wm_copy5(job->asn, tsch->asn);
    }
}

/* Header octets, and the map that goes with them; `len` is where the next octet goes. */
static wm_status build_header(wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->tx;
    wm_psdu_len header = 0;
    const wm_status status = wm_mhr_build(&job->mhr, tsch->tx_frame, WM_FRAME_MAX, &header);

    if (status == WM_OK) {
        job->len = header;
        job->map.ash =
            (wm_psdu_len)(header - (job->mhr.security_enabled ? wm_ash_len(&job->mhr.ash) : 0u));
        job->map.header_ie = header;
        job->map.open = header;
        job->map.private_payload = header;
    }
    return status;
}

wm_status wm_tsch_prepare_data(wm_tsch *tsch)
{
    const uint16_t ends = (uint16_t)(wm_level_mic_len(tsch->config.level) + WM_FCS_LEN);
    wm_status status;

    common_header(tsch, WM_FRAME_DATA, WM_KEY_DATA);
    status = build_header(tsch);
    if (status != WM_OK) {
        return status;
    }
    if (tsch->config.frame_len > WM_PSDU_MAX || tsch->config.frame_len < tsch->tx.len + ends) {
        return WM_ERR_PARAM;
    }
    return WM_OK;
}

/* Not inline, like what is called before and after it: an observer sees where each part begins. */
WM_NOINLINE static wm_status build_data_header(wm_tsch *tsch, uint8_t key_slot)
{
    common_header(tsch, WM_FRAME_DATA, key_slot);
    fill_in(tsch);
    return build_header(tsch);
}

WM_NOINLINE static void take_payload(wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->tx;
    const uint8_t mic = wm_level_mic_len(tsch->config.level);
    const wm_psdu_len end = (wm_psdu_len)(tsch->config.frame_len - WM_FCS_LEN - mic);

    wm_port_payload(tsch->tx_frame + job->len, (wm_psdu_len)(end - job->len));
    job->len = end;
}

WM_NOINLINE static uint8_t look_up(const wm_tsch *tsch)
{
    return wm_tsch_find_key(&tsch->config, &tsch->tx.mhr.ash, WM_KEY_DATA);
}

/* Key and header, and what the board says of them. `tsch->empty` keeps what `tsch->tx.len` says before. */
static inline wm_status begin_data_frame(wm_tsch *tsch)
{
    uint8_t key_slot = WM_KEY_DATA;
    wm_status status;

    tsch->empty = tsch->tx.len == tsch->tx.map.private_payload;
    if (tsch->config.level != 0) {
        name_key(&tsch->config, WM_KEY_DATA, &tsch->tx.mhr.ash);
        key_slot = look_up(tsch);
        if (key_slot == WM_KEY_NONE) {
            return WM_ERR_UNAVAILABLE_KEY;
        }
    }
    status = build_data_header(tsch, key_slot);
    return status == WM_OK ? wm_port_builds(tsch, &tsch->tx) : status;
}

wm_status wm_tsch_build_data(wm_tsch *tsch)
{
    const wm_status status = tsch->built ? WM_OK : begin_data_frame(tsch);

    if (status == WM_OK && !tsch->empty) {
        take_payload(tsch);
    }
    return status;
}

wm_status wm_tsch_build_ahead(wm_tsch *tsch)
{
    wm_status status = WM_OK;

    if (!tsch->built) {
        tsch->seq++;
        status = begin_data_frame(tsch);
        tsch->built = status == WM_OK;
        if (status != WM_OK) {
            tsch->seq--;
        }
    }
    return status;
}

wm_status wm_tsch_prepare_ack(wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->tx;
    wm_status status;

    common_header(tsch, WM_FRAME_ACK, WM_KEY_DATA);
    status = build_header(tsch);
    if (status != WM_OK) {
        return status;
    }
    status = wm_time_correction_build(tsch->tx_frame + job->len,
                                      (wm_psdu_len)(WM_FRAME_MAX - job->len), 0, false);
    if (status != WM_OK) {
        return status;
    }
    job->len = (wm_psdu_len)(job->len + WM_TIME_CORRECTION_LEN);
    job->map.open = job->len;
    job->map.private_payload = job->len;
    return WM_OK;
}

wm_status wm_tsch_prepare_eb(wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->tx;
    wm_eb eb;
    wm_psdu_len content;
    wm_status status;
    uint8_t i;

    common_header(tsch, WM_FRAME_BEACON, WM_KEY_BEACON);
    job->mhr.dst.mode = WM_ADDR_SHORT;
    job->mhr.dst.octet[0] = 0xFF;
    job->mhr.dst.octet[1] = 0xFF;
    status = build_header(tsch);
    if (status != WM_OK) {
        return status;
    }
    for (i = 0; i < 5; i++) {
        eb.asn[i] = tsch->asn[i];
    }
    eb.join_metric = 0;
    eb.hopping_id = 0;
    eb.slotframe_length = tsch->config.slotframe_length;
    eb.timing = tsch->config.timing;
    status = wm_eb_build(&eb, tsch->tx_frame + job->len, (wm_psdu_len)(WM_FRAME_MAX - job->len),
                         &content);
    if (status != WM_OK) {
        return status;
    }
    job->len = (wm_psdu_len)(job->len + content);
    job->map.open = (wm_psdu_len)(job->map.header_ie + 2u); /* header termination 1 */
    job->map.private_payload = job->map.open;
    return WM_OK;
}

void wm_tsch_finish_frame(wm_tsch *tsch)
{
    wm_frame_job *job = &tsch->tx;

    fill_in(tsch);
    job->frame[SEQ_OFFSET] = tsch->seq;
    if (job->nonce_form == WM_NONCE_COUNTER && job->mhr.security_enabled) {
        wm_store_le32(job->frame + job->map.ash + 1, tsch->tx_counter);
    }
}

wm_status wm_tsch_finish_ack(wm_tsch *tsch, int16_t correction_us)
{
    tsch->seq = tsch->rx.mhr.seq; /* 2015 7.3.3: the acknowledged frame's */
    wm_tsch_finish_frame(tsch);
    return wm_time_correction_build(tsch->tx_frame + tsch->tx.map.header_ie, WM_TIME_CORRECTION_LEN,
                                    correction_us, false);
}

/* Fills in a frame that is prepared, with a sequence number to come. */
static void expect_frame(wm_tsch *tsch, uint8_t next)
{
    const uint8_t seq = tsch->seq;

    tsch->seq = next;
    wm_tsch_finish_frame(tsch);
    tsch->seq = seq;
}

void wm_tsch_expect_answer(wm_tsch *tsch, uint8_t seq)
{
    expect_frame(tsch, seq);
}

void wm_tsch_expect_beacon(wm_tsch *tsch)
{
    expect_frame(tsch, (uint8_t)(tsch->seq + 1u));
}

wm_status wm_tsch_build_answer(wm_tsch *tsch)
{
    const int16_t early = wm_tsch_early(tsch);
    wm_status status = WM_OK;

    if (!tsch->answered) {
        status = wm_tsch_finish_ack(tsch, wm_difference_to_us(early));
        tsch->answered = status == WM_OK;
    }
    return status;
}

WM_NOINLINE wm_status wm_tsch_secure(wm_tsch *tsch)
{
    const wm_status status = wm_port_secure(&tsch->tx);

    if (status != WM_OK) {
        wm_refused(tsch, status);
    } else if (tsch->tx_counter != UINT32_MAX) {
        tsch->tx_counter++; /* all ones is refused by the nonce: 2015 9.2.2 */
    }
    return status;
}

wm_status wm_tsch_receive(wm_tsch *tsch)
{
    const wm_status status = wm_port_receive(tsch, &tsch->rx);

    if (status < 0) {
        wm_count(&tsch->stats.refused);
        wm_refused(tsch, status);
    } else if (status == WM_OK && tsch->config.counter_carried) {
        /* Below all ones: admitted. Of a frame that is not authenticated anybody can write the
         * counter, and one that is far along would mute the peer. */
        tsch->rx_counter[tsch->rx.key_slot] = tsch->rx.mhr.ash.frame_counter + 1u;
    }
    return status;
}
