/* SPDX-License-Identifier: BSD-3-Clause */
/* The slot: what a node does at each alarm and at each frame event.
 *
 * References: IEEE 802.15.4-2015 6.5.4 (timeslot), 6.2.6 (TSCH), 6.7.4.2 (Enh-Ack), 9.2 (security).
 *
 *   sender    SLEEP - sec1 - TX_READY - TX_FRAME - ACK_WAIT - ACK_LISTEN - ACK_FRAME - sec4 - SLEEP
 *   receiver  SLEEP - RX_WAIT - RX_LISTEN - RX_FRAME - sec2 - sec3 - ACK_READY - ACK_SEND - SLEEP
 *   EB        as the sender without Enh-Ack; its receiver ends after RX_FRAME
 *
 * Invariants: exactly one alarm is armed in every state but OFF and SCAN; an event that the state
 * does not wait for changes nothing; a deadline that is missed is counted and nothing is sent or
 * heard in its place. */
#include <wardmote/ie.h>
#include "tsch_engine.h"
#include "tsch_time.h"

/* ticks: frame events reach the engine a little after they happened */
#define EVENT_MARGIN WM_TICKS_NEAR(61)
/* ticks: after this much more than the longest frame the radio will not end it any more */
#define SENDER_MARGIN WM_TICKS_NEAR(244)

/* ticks: no alarm fits into so few, but a fast board is there by then (wm_port_listens_at_once) */
#define AT_ONCE_TICKS WM_TICKS_DOWN(8)

/* Ends the slot and turns the radio off. */
static void finish_slot(wm_tsch *tsch)
{
    wm_tsch_next_slot(tsch);
    wm_port_mark_end(WM_MARK_SLOT);
}

static void end_slot(wm_tsch *tsch)
{
    wm_port_radio_idle();
    finish_slot(tsch);
}

/* Sleeps in `state` until `tick`; false when it has passed. */
static bool wait_until(wm_tsch *tsch, uint16_t tick, wm_tsch_state state)
{
    tsch->state = (uint8_t)state;
    return wm_port_alarm(tick);
}

/* Sets a deadline for an event. If the deadline has passed already, the slot ends. */
static void expect_until(wm_tsch *tsch, uint16_t tick, wm_tsch_state state)
{
    if (!wait_until(tsch, tick, state)) {
        end_slot(tsch);
    }
}

/* Arms the alarm for a radio that sends or listens `delay` ticks after `from` and takes `start` ticks
 * for it, and raises `need` to what that would have had to be at least. The clock is read after the
 * alarm was armed: it is in time only if it is still before it then. */
static bool ready_in_time(wm_tsch *tsch, uint16_t from, uint16_t delay, uint8_t start,
                          uint16_t *need, wm_tsch_state state)
{
    const bool armed = wait_until(tsch, (uint16_t)(from + delay - start), state);
    const uint16_t least = (uint16_t)(wm_port_ticks() - from + start + 1);

    wm_raise(need, least);
    return armed && delay >= least;
}

/* Sender. */

/* Checks that the frame was loaded in time. Otherwise counts it as late and gives up. */
static void send_at_offset(wm_tsch *tsch)
{
    if (!ready_in_time(tsch, tsch->slot_start, tsch->config.timing.ts_tx_offset,
                       wm_port_turnaround(), &tsch->stats.needs.tx_offset, WM_TSCH_TX_READY)) {
        wm_count(&tsch->stats.late_tx_offset);
        finish_slot(tsch);
    }
}

static void begin_data(wm_tsch *tsch)
{
    uint16_t begin;
    wm_status status;

    wm_count(&tsch->stats.data_sent);
    if (!tsch->built) {
        tsch->seq++;
    }
    wm_port_mark_begin(WM_MARK_SEC1);
    begin = wm_port_ticks();
    status = wm_tsch_build_data(tsch);
    if (status == WM_OK) {
        status = wm_tsch_secure(tsch);
    } else {
        wm_refused(tsch, status);
    }
    wm_raise(&tsch->stats.needs.sec1, (uint16_t)(wm_port_ticks() - begin));
    wm_port_mark_end(WM_MARK_SEC1);
    if (status == WM_OK) {
        send_at_offset(tsch);
    } else {
        finish_slot(tsch);
    }
}

static void begin_beacon(wm_tsch *tsch)
{
    tsch->seq++;
    wm_tsch_finish_frame(tsch);
    if (wm_tsch_secure(tsch) == WM_OK) {
        send_at_offset(tsch);
    } else {
        finish_slot(tsch);
    }
}

/* Sends what is loaded and waits until `tick` for its end. */
static void send_until(wm_tsch *tsch, uint16_t tick, wm_tsch_state state)
{
    const wm_status status = wm_port_radio_send();

    if (status == WM_OK) {
        expect_until(tsch, tick, state);
    } else {
        wm_refused(tsch, status);
        end_slot(tsch);
    }
}

static void send_frame(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;

    send_until(tsch, (uint16_t)(tsch->slot_start + t->ts_tx_offset + t->ts_max_tx + SENDER_MARGIN),
               WM_TSCH_TX_FRAME);
}

static void wait_for_ack(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;

    expect_until(tsch,
                 (uint16_t)(tsch->frame_ended + t->ts_tx_ack_delay + t->ts_ack_guard +
                            WM_SFD_TICKS + EVENT_MARGIN),
                 WM_TSCH_ACK_LISTEN);
}

static void listen_for_ack(wm_tsch *tsch)
{
    wm_port_radio_listen();
    wait_for_ack(tsch);
}

/* Whether the receiver hears `delay` ticks from now only if nobody waits for an alarm: it takes `least`
 * for that. */
static bool at_once(uint16_t delay, unsigned least)
{
    return wm_port_listens_at_once() && (uint16_t)(delay - least) <= AT_ONCE_TICKS;
}

/* The frame is out: receiver off until TsRxAckDelay. It stays on if it could not be on again then. */
static void frame_sent(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;
    const uint16_t delay = (uint16_t)(t->ts_tx_ack_delay - t->ts_ack_guard);

    if (tsch->tx.mhr.type != WM_FRAME_BEACON && at_once(delay, wm_port_listen_ticks + 1u)) {
        wm_raise(&tsch->stats.needs.rx_ack_delay, delay);
        wait_for_ack(tsch);
        return;
    }
    wm_port_radio_idle();
    if (tsch->tx.mhr.type == WM_FRAME_BEACON) {
        wm_count(&tsch->stats.beacons_sent);
        finish_slot(tsch);
        return;
    }
    if (!ready_in_time(tsch, tsch->frame_ended, delay, wm_port_listen_ticks,
                       &tsch->stats.needs.rx_ack_delay, WM_TSCH_ACK_WAIT)) {
        wm_count(&tsch->stats.late_rx_ack_delay);
        finish_slot(tsch);
    }
}

/* An authenticated Enh-Ack moves the clock; so does any in a network without security. `taken` is
 * what wm_tsch_receive answered. */
static void take_ack(wm_tsch *tsch, wm_status taken)
{
    const wm_frame_job *job = &tsch->rx;
    int16_t us;
    bool nack;
    const wm_status status = wm_time_correction_parse(
        job->frame + job->map.header_ie,
        (wm_psdu_len)(job->map.private_payload - job->map.header_ie), &us, &nack);

    if (status != WM_OK) {
        wm_count(&tsch->stats.refused);
        wm_refused(tsch, status);
        return;
    }
    if (!nack) {
        wm_count(&tsch->stats.data_acked);
    }
    if (taken != WM_NOT_AUTHENTICATED) {
        /* expected - actual arrival: positive means we are early */
        tsch->shift = wm_correction_to_ticks(us);
        tsch->stats.correction_us = us;
        wm_tsch_synchronised(tsch);
    }
}

static void ack_received(wm_tsch *tsch)
{
    uint16_t begin;
    uint16_t end;
    uint16_t tail;
    wm_status status;

    wm_port_mark_begin(WM_MARK_SEC4);
    begin = wm_port_ticks();
    status = wm_tsch_receive(tsch);
    end = wm_port_ticks();
    wm_port_mark_end(WM_MARK_SEC4);
    wm_raise(&tsch->stats.needs.sec4, (uint16_t)(end - begin));
    tail = (uint16_t)(end - tsch->frame_ended);
    wm_raise(&tsch->stats.needs.tail, tail);
    if (tail > tsch->tail_limit) {
        wm_count(&tsch->stats.late_slot);
    }
    if (status >= 0) {
        take_ack(tsch, status);
    }
    finish_slot(tsch);
}

/* Receiver. */

static void listen_for_frame(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;

    wm_port_radio_listen();
    expect_until(tsch,
                 (uint16_t)(tsch->slot_start + t->ts_tx_offset + t->ts_rx_guard + WM_SFD_TICKS +
                            EVENT_MARGIN),
                 WM_TSCH_RX_LISTEN);
}

/* Waits for TsRxOffset. A guard time that would begin late is a missed deadline like any other. */
static void begin_reception(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;
    const uint16_t delay = (uint16_t)(t->ts_tx_offset - t->ts_rx_guard);

    if (at_once(delay, wm_port_listen_ticks) &&
        (uint16_t)(wm_port_ticks() - tsch->slot_start) <= AT_ONCE_TICKS) {
        wm_raise(&tsch->stats.needs.rx_offset, delay);
        listen_for_frame(tsch);
        return;
    }
    if (!ready_in_time(tsch, tsch->slot_start, delay, wm_port_listen_ticks,
                       &tsch->stats.needs.rx_offset, WM_TSCH_RX_WAIT)) {
        wm_count(&tsch->stats.late_rx_offset);
        finish_slot(tsch);
    }
}

static void answer(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;
    const int16_t early = wm_tsch_early(tsch);
    uint16_t begin;
    wm_status status = WM_OK;

    wm_port_mark_begin(WM_MARK_SEC3);
    begin = wm_port_ticks();
    if (!tsch->answered) {
        status = wm_tsch_finish_ack(tsch, wm_difference_to_us(early));
    }
    if (status == WM_OK) {
        status = wm_tsch_secure(tsch);
    }
    wm_raise(&tsch->stats.needs.sec3, (uint16_t)(wm_port_ticks() - begin));
    wm_port_mark_end(WM_MARK_SEC3);
    if (status != WM_OK) {
        finish_slot(tsch);
        return;
    }
    if (!ready_in_time(tsch, tsch->frame_ended, t->ts_tx_ack_delay, wm_port_turnaround(),
                       &tsch->stats.needs.tx_ack_delay, WM_TSCH_ACK_READY)) {
        wm_count(&tsch->stats.late_tx_ack_delay);
        finish_slot(tsch);
    }
}

static void data_received(wm_tsch *tsch)
{
    uint16_t begin;
    wm_status status;

    wm_port_mark_begin(WM_MARK_SEC2);
    begin = wm_port_ticks();
    status = wm_tsch_receive(tsch);
    wm_raise(&tsch->stats.needs.sec2, (uint16_t)(wm_port_ticks() - begin));
    wm_port_mark_end(WM_MARK_SEC2);
    if (status >= 0) {
        wm_count(&tsch->stats.data_received);
        if (tsch->rx.mhr.ack_request) {
            answer(tsch);
            return;
        }
    }
    finish_slot(tsch);
}

static void send_ack(wm_tsch *tsch)
{
    const wm_tsch_template *t = &tsch->config.timing;

    send_until(tsch,
               (uint16_t)(tsch->frame_ended + t->ts_tx_ack_delay + t->ts_max_ack + SENDER_MARGIN),
               WM_TSCH_ACK_SEND);
}

static void beacon_received(wm_tsch *tsch)
{
    if (wm_tsch_receive(tsch) >= 0 && !wm_tsch_take_eb(tsch)) {
        wm_tsch_scan(tsch);
        wm_port_mark_end(WM_MARK_SLOT);
        return;
    }
    finish_slot(tsch);
}

static void beacon_scanned(wm_tsch *tsch)
{
    if (wm_tsch_receive(tsch) >= 0 && wm_tsch_take_eb(tsch)) {
        wm_port_radio_idle();
        wm_tsch_next_slot(tsch);
    } else {
        wm_tsch_scan(tsch);
    }
}

static void begin_slot(wm_tsch *tsch)
{
    const bool beacon_slot = tsch->slot_offset == 0;

    if (!tsch->slot_used) {
        wm_tsch_next_slot(tsch);
        return;
    }
    wm_port_mark_begin(WM_MARK_SLOT);
    wm_port_radio_tune(wm_hopping_channel(tsch->channel_index));
    if (tsch->config.role == WM_TSCH_ROOT) {
        if (beacon_slot) {
            begin_beacon(tsch);
        } else {
            begin_reception(tsch);
        }
    } else if (beacon_slot) {
        begin_reception(tsch);
    } else {
        begin_data(tsch);
    }
}

void wm_tsch_on_alarm(wm_tsch *tsch)
{
    switch (tsch->state) {
    case WM_TSCH_SLEEP:
        begin_slot(tsch);
        break;
    case WM_TSCH_TX_READY:
        send_frame(tsch);
        break;
    case WM_TSCH_ACK_WAIT:
        listen_for_ack(tsch);
        break;
    case WM_TSCH_RX_WAIT:
        listen_for_frame(tsch);
        break;
    case WM_TSCH_ACK_READY:
        send_ack(tsch);
        break;
    case WM_TSCH_TX_FRAME:
    case WM_TSCH_ACK_LISTEN:
    case WM_TSCH_ACK_FRAME:
    case WM_TSCH_RX_LISTEN:
    case WM_TSCH_RX_FRAME:
    case WM_TSCH_ACK_SEND:
        end_slot(tsch); /* what was awaited did not come */
        break;
    default:
        break; /* OFF, SCAN: an alarm from before */
    }
}

void wm_tsch_on_frame_start(wm_tsch *tsch, uint16_t tick)
{
    const wm_tsch_template *t = &tsch->config.timing;

    switch (tsch->state) {
    case WM_TSCH_RX_LISTEN:
        tsch->frame_started = tick;
        expect_until(tsch, (uint16_t)(tick + t->ts_max_tx + EVENT_MARGIN), WM_TSCH_RX_FRAME);
        break;
    case WM_TSCH_ACK_LISTEN:
        tsch->frame_started = tick;
        expect_until(tsch, (uint16_t)(tick + t->ts_max_ack + EVENT_MARGIN), WM_TSCH_ACK_FRAME);
        break;
    case WM_TSCH_SCAN:
        tsch->frame_started = tick;
        break;
    default:
        break; /* our own frame, or one that came outside its window */
    }
}

void wm_tsch_on_frame_end(wm_tsch *tsch, uint16_t tick)
{
    switch (tsch->state) {
    case WM_TSCH_TX_FRAME:
        tsch->frame_ended = tick;
        frame_sent(tsch);
        break;
    case WM_TSCH_ACK_FRAME:
        tsch->frame_ended = tick;
        wm_port_radio_idle();
        ack_received(tsch);
        break;
    case WM_TSCH_RX_FRAME:
        tsch->frame_ended = tick;
        wm_port_radio_idle();
        if (tsch->config.role == WM_TSCH_LEAF) {
            beacon_received(tsch);
        } else {
            data_received(tsch);
        }
        break;
    case WM_TSCH_ACK_SEND:
        wm_count(&tsch->stats.acks_sent);
        end_slot(tsch);
        break;
    case WM_TSCH_SCAN:
        tsch->frame_ended = tick;
        beacon_scanned(tsch);
        break;
    default:
        break;
    }
}
