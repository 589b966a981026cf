/* SPDX-License-Identifier: BSD-3-Clause */
/* The node: configuration, start, joining and keeping time.
 *
 * References: IEEE 802.15.4-2015 6.3.6 (joining), 6.5.4 (synchronisation: from acknowledgments and
 * from frames of the time source), 6.2.6 (slotframes), 9.3.3.2 (what the ASN means for nonces).
 * Time: slot k of this node begins at tick slot_start; everything in it is measured from there with
 * this node's own clock. A leaf moves the start of its next slot by whole ticks. The rest of a
 * correction is not carried over: the next measurement contains it again. */
#include <wardmote/eb.h>
#include "../util/octets8.h"
#include "tsch_engine.h"
#include "tsch_time.h"
#include <wardmote/ct.h>

/* two slots ahead are still within the reach of the alarm */
#define SLOT_MAX 0x4000u
/* less than 2^15 ticks ahead, and a little for what is done before it is armed */
#define ALARM_REACH 0x7F00u
/* most ticks that a 16-bit value of the Timeslot IE can say: of 1/32768 s, 65521 us */
#define FIELD_MAX ((unsigned)(65535ul * (WM_TICK_HZ / 8ul) / 125000ul))
#define CHANNEL_MIN 11
#define CHANNEL_MAX 26
#define JOIN_LEAD WM_TICKS_NEAR(61) /* ticks: from reading the clock to an armed alarm */
#define BEACON_DEADBAND 1           /* ticks: what rounding of two clocks to ticks does by itself */

/* Is the receiver's radio, for which there are `least` ticks at least, ready before a guard time that
 * ends at `moment` begins, and the sender's at `moment`? */
static bool guard_fits(uint16_t guard, uint16_t moment, uint8_t least)
{
    return guard <= FIELD_MAX / 2 && moment >= guard + least && moment > wm_port_turnaround();
}

bool wm_tsch_template_valid(const wm_tsch_template *t, wm_psdu_len frame_len)
{
    const uint32_t air = wm_air_ticks(frame_len);
    const uint8_t listen = wm_port_listen_ticks;
    const uint32_t parts =
        (uint32_t)t->ts_tx_offset + t->ts_max_tx + (uint32_t)t->ts_tx_ack_delay + t->ts_max_ack;

    return t->ts_rx_guard > WM_TSCH_SYNC_REST && t->ts_ack_guard != 0 &&
           guard_fits(t->ts_rx_guard, t->ts_tx_offset,
                      (uint8_t)(wm_port_listens_at_once() ? listen : listen + 1u)) &&
           guard_fits(t->ts_ack_guard, t->ts_tx_ack_delay, (uint8_t)(listen + 1u)) &&
           t->ts_tx_offset <= FIELD_MAX && t->ts_tx_ack_delay <= FIELD_MAX && t->ts_max_tx >= air &&
           t->ts_max_ack != 0 && t->ts_max_ack <= FIELD_MAX && t->ts_slot_duration < SLOT_MAX &&
           parts <= t->ts_slot_duration;
}

uint16_t wm_tsch_tail_limit(const wm_tsch_template *t)
{
    return (uint16_t)(t->ts_slot_duration - t->ts_tx_offset - t->ts_max_tx - t->ts_tx_ack_delay -
                      t->ts_max_ack);
}

void wm_tsch_synchronised(wm_tsch *tsch)
{
    tsch->sync_left =
        (tsch->config.timing.ts_rx_guard - (uint32_t)WM_TSCH_SYNC_REST) * WM_TSCH_DRIFT_TICKS;
}

/* Beacons fall on positions of the hopping sequence that are multiples of the greatest common
 * divisor of 16 and the slots from one to the next: its lowest set bit. */
static bool beacon_on_channel(const wm_tsch_config *config)
{
    const uint32_t slots =
        (uint32_t)config->slotframe_length * (config->beacon_every > 1 ? config->beacon_every : 1u);
    const uint32_t divisor = slots & (0u - slots);
    uint8_t position = 0;

    while (wm_hopping_channel(position) != config->join_channel) {
        position++;
    }
    return (position & (divisor - 1u) & (WM_HOPPING_LEN - 1u)) == 0;
}

static bool security_valid(const wm_tsch_config *config)
{
    if (config->level > 7 || config->key_id_mode > 3 || config->profile > WM_PROFILE_2011 ||
        config->unsecured != (config->level == 0)) {
        return false;
    }
    if (config->level == 4 && config->profile != WM_PROFILE_2011) {
        return false;
    }
    return config->level == 0 || config->key_id_mode == 0 ||
           (config->beacon_key_index != 0 && config->data_key_index != 0);
}

static bool same_eui64(const wm_tsch_config *config)
{
    uint8_t i = 0;

    while (i < 8 && config->eui64[i] == config->peer[i]) {
        i++;
    }
    return i == 8;
}

static bool asn_is_zero(const uint8_t asn[5])
{
    return (asn[0] | asn[1] | asn[2] | asn[3] | asn[4]) == 0;
}

static bool config_valid(const wm_tsch_config *config)
{
    if (config->role > WM_TSCH_LEAF || config->join_channel < CHANNEL_MIN ||
        config->join_channel > CHANNEL_MAX) {
        return false;
    }
    if (config->pan == 0xFFFF || config->slotframe_length < 2 ||
        config->slotframe_length > 0x7FFF) {
        return false;
    }
    if (config->role == WM_TSCH_LEAF && asn_is_zero(config->join_asn_max)) {
        return false; /* could never join */
    }
    return config->data_cells != 0 && security_valid(config) && !same_eui64(config) &&
           wm_tsch_template_valid(&config->timing, config->frame_len) && beacon_on_channel(config);
}

wm_status wm_tsch_init(wm_tsch *tsch, const wm_tsch_config *config)
{
    wm_wipe(tsch, sizeof *tsch);
    if (!config_valid(config)) {
        return WM_ERR_PARAM;
    }
    tsch->config = *config;
    tsch->rx.frame = tsch->rx_frame;
    tsch->tail_limit = wm_tsch_tail_limit(&config->timing);
    wm_tsch_synchronised(tsch);
    /* Checks that all three can be built and that frame_len has room for header and MIC. */
    if (wm_tsch_prepare_eb(tsch) != WM_OK || wm_tsch_prepare_ack(tsch) != WM_OK) {
        return WM_ERR_PARAM;
    }
    return wm_tsch_prepare_data(tsch);
}

/* Counts down from one event to the next; true if it is due. */
static bool due(uint16_t *left, uint16_t every)
{
    if (*left != 0) {
        --*left;
        return false;
    }
    *left = every > 1 ? (uint16_t)(every - 1u) : 0;
    return true;
}

/* Whether a leaf has a frame for its cell: data, or an empty one that keeps it in time. */
static bool has_frame(wm_tsch *tsch)
{
    const wm_tsch_config *config = &tsch->config;

    if (due(&tsch->skipped, config->data_every)) {
        tsch->tx.len =
            (wm_psdu_len)(config->frame_len - WM_FCS_LEN - wm_level_mic_len(config->level));
        return true;
    }
    tsch->tx.len = tsch->tx.map.private_payload;
    return tsch->sync_left < config->keep_alive;
}

static bool slot_used(wm_tsch *tsch)
{
    const bool root = tsch->config.role == WM_TSCH_ROOT;

    if (wm_tsch_slot_empty(tsch)) {
        return false;
    }
    if (tsch->slot_offset == 0) {
        return !root || due(&tsch->skipped, tsch->config.beacon_every);
    }
    return root || has_frame(tsch);
}

/* Prepares the frame that a root can build before a slot begins: the header of its beacon, or of
 * the Enh-Ack that it may have to send. A leaf builds its data frame in the slot. wm_tsch_init has
 * checked that all of them can be built. */
static wm_status prepare_slot(wm_tsch *tsch)
{
    tsch->built = false;
    tsch->answered = false;
    tsch->slot_used = slot_used(tsch);
    if (tsch->config.role == WM_TSCH_LEAF || !tsch->slot_used) {
        return WM_OK;
    }
    return tsch->slot_offset == 0 ? wm_tsch_prepare_eb(tsch) : wm_tsch_prepare_ack(tsch);
}

/* Moves time and all that depends on it, except the ASN, ahead by `slots` of `ticks` in all. */
static inline void move(wm_tsch *tsch, uint16_t slots, uint16_t ticks)
{
    tsch->channel_index = (uint8_t)(tsch->channel_index + slots) & (WM_HOPPING_LEN - 1u);
    tsch->slot_start = (uint16_t)(tsch->slot_start + ticks + (uint16_t)tsch->shift);
    tsch->sync_left = tsch->sync_left > ticks ? tsch->sync_left - ticks : 0;
    tsch->shift = 0;
    tsch->slot_offset = (uint16_t)(tsch->slot_offset + slots);
    if (tsch->slot_offset == tsch->config.slotframe_length) {
        tsch->slot_offset = 0;
    }
}

/* Passes over empty slots at once, to the end of the slotframe or as far as the alarm reaches. A slot
 * that has begun already is ahead by nearly 2^16. */
static void pass_empty_slots(wm_tsch *tsch)
{
    const uint16_t ahead = (uint16_t)(tsch->slot_start - wm_port_ticks());
    const uint16_t reach = (uint16_t)(ALARM_REACH - ahead);
    uint16_t slots = (uint16_t)(tsch->config.slotframe_length - tsch->slot_offset);
    uint32_t ticks = (uint32_t)slots * tsch->config.timing.ts_slot_duration;

    if (!wm_tsch_slot_empty(tsch) || ahead >= SLOT_MAX) {
        return;
    }
    while (ticks > reach) {
        slots = (uint16_t)(slots - slots / 4u - 1u);
        ticks = (uint32_t)slots * tsch->config.timing.ts_slot_duration;
    }
    wm_asn_add(tsch->asn, slots);
    move(tsch, slots, (uint16_t)ticks);
}

/* Sleeps until the slot at slot_start, or the first one after it that has not begun yet and is not
 * empty. */
static void sleep_until_slot(wm_tsch *tsch)
{
    wm_status status;

    pass_empty_slots(tsch);
    while (!wm_port_alarm(tsch->slot_start)) {
        wm_count(&tsch->stats.late_slot);
        wm_tsch_advance(tsch);
    }
    if (tsch->config.role == WM_TSCH_LEAF && tsch->sync_left == 0) {
        /* The clocks may be a guard time apart. This ASN is not used yet, so it bounds those to
         * come. */
        wm_tsch_scan(tsch);
        return;
    }
    tsch->state = WM_TSCH_SLEEP;
    status = prepare_slot(tsch);
    if (status != WM_OK) {
        wm_refused(tsch, status);
        tsch->state = WM_TSCH_OFF;
    }
}

void wm_tsch_start(wm_tsch *tsch)
{
    if (tsch->state != WM_TSCH_OFF) {
        return;
    }
    if (tsch->config.role == WM_TSCH_LEAF) {
        wm_tsch_scan(tsch);
        return;
    }
    tsch->stats.joined = 1;
    tsch->slot_start = (uint16_t)(wm_port_ticks() + tsch->config.timing.ts_slot_duration);
    sleep_until_slot(tsch);
}

bool wm_tsch_rests(const wm_tsch *tsch)
{
    return tsch->state == WM_TSCH_SLEEP || tsch->state == WM_TSCH_OFF;
}

void wm_tsch_limit_join(wm_tsch *tsch, const uint8_t asn[5])
{
    wm_copy5(tsch->config.join_asn_max, asn);
}

void wm_tsch_scan(wm_tsch *tsch)
{
    tsch->state = WM_TSCH_SCAN;
    tsch->stats.joined = 0;
    wm_port_radio_tune(tsch->config.join_channel);
    wm_port_radio_listen();
}

void wm_tsch_advance(wm_tsch *tsch)
{
    wm_asn_increment(tsch->asn);
    move(tsch, 1, tsch->config.timing.ts_slot_duration);
}

void wm_tsch_next_slot(wm_tsch *tsch)
{
    wm_tsch_advance(tsch);
    sleep_until_slot(tsch);
}

/* First EB: everything about time comes from it. */
static bool join(wm_tsch *tsch, const wm_eb *eb)
{
    wm_tsch_config *config = &tsch->config;
    uint16_t lead;
    uint16_t least = JOIN_LEAD;
    uint8_t i;

    if (eb->slotframe_length < 2 || eb->slotframe_length > 0x7FFF ||
        !wm_tsch_template_valid(&eb->timing, config->frame_len)) {
        wm_refused(tsch, WM_ERR_PARAM);
        return false;
    }
    config->timing = eb->timing;
    config->slotframe_length = eb->slotframe_length;
    tsch->tail_limit = wm_tsch_tail_limit(&config->timing);
    wm_tsch_synchronised(tsch);
    for (i = 0; i < 5; i++) {
        tsch->asn[i] = eb->asn[i];
    }
    tsch->slot_offset = wm_asn_mod(tsch->asn, config->slotframe_length);
    tsch->channel_index = tsch->asn[4] & (WM_HOPPING_LEN - 1u);
    tsch->slot_start = (uint16_t)(tsch->frame_started - WM_SFD_TICKS - config->timing.ts_tx_offset);
    tsch->shift = 0;
    tsch->stats.joined = 1;
    if (tsch->prepares) {
        least = config->timing.ts_slot_duration;
    }
    /* Verifying the EB may have taken longer than what is left of its slot: skip what has begun,
     * and one tick more. */
    do {
        lead = (uint16_t)(tsch->slot_start + config->timing.ts_slot_duration - wm_port_ticks());
        if (lead < least || lead > INT16_MAX) {
            wm_tsch_advance(tsch);
        }
    } while (lead < least || lead > INT16_MAX);
    return true;
}

/* An EB of the current slot gives the time, if it has the ASN that we count. The rest was taken
 * when joining. */
static bool resynchronise(wm_tsch *tsch, const uint8_t asn[5])
{
    const int16_t late = (int16_t)(tsch->frame_started - tsch->slot_start -
                                   tsch->config.timing.ts_tx_offset - WM_SFD_TICKS);
    uint8_t i;

    for (i = 0; i < 5; i++) {
        if (asn[i] != tsch->asn[i]) {
            return false; /* our time is not the network's */
        }
    }
    if (late > BEACON_DEADBAND || late < -BEACON_DEADBAND) {
        tsch->shift = late;
        tsch->stats.correction_us = wm_difference_to_us((int16_t)-late);
    }
    wm_tsch_synchronised(tsch);
    return true;
}

bool wm_tsch_take_eb(wm_tsch *tsch)
{
    const wm_frame_job *job = &tsch->rx;
    const bool joining = tsch->state == WM_TSCH_SCAN;
    const uint8_t *payload = job->frame + job->map.private_payload;
    const wm_psdu_len len = (wm_psdu_len)(job->len - job->map.private_payload);
    wm_eb eb;
    const wm_status status =
        joining ? wm_eb_parse(payload, len, &eb) : wm_eb_asn(payload, len, eb.asn);

    if (status != WM_OK) {
        wm_refused(tsch, status);
        return !joining; /* a joined leaf goes on without it */
    }
    wm_count(&tsch->stats.beacons_received);
    return joining ? join(tsch, &eb) : resynchronise(tsch, eb.asn);
}
