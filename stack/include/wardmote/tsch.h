/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tsch.h
 *  TSCH (IEEE 802.15.4-2015 6.2.6, 6.3.6, 6.5): ASN, channel hopping, Enhanced Beacons, Enh-Acks
 *  and the slot state machine of sender and receiver. Hardware independent: see port/tsch_port.h
 *  for what a board supplies. */
#ifndef WARDMOTE_TSCH_H
#define WARDMOTE_TSCH_H

#include <wardmote/linkage.h>
#include <wardmote/port/tsch_port.h>

WM_C_BEGIN

/** Timeslot template, in ticks of tick.h: 1/32768 s (30.517578125 us) unless WM_TICK_HZ says
 *  otherwise. Offsets count from the start of the
 *  slot to the first preamble symbol, delays from the last octet of a frame to the first preamble
 *  symbol of the next. */
typedef struct wm_tsch_template {
    uint16_t ts_tx_offset;     /**< TsTxOffset */
    uint16_t ts_max_tx;        /**< TsMaxTx: 4256 us = 140 ticks of 1/32768 s */
    uint16_t ts_tx_ack_delay;  /**< TsTxAckDelay */
    uint16_t ts_max_ack;       /**< TsMaxAck: 2400 us = 79 ticks of 1/32768 s */
    uint16_t ts_slot_duration; /**< TsTimeslotLength, called TsSlotDuration in the literature */
    /** Half of TsRxWait: the receiver is on from TsRxOffset = TsTxOffset - guard to TsTxOffset +
     *  guard. More than WM_TSCH_SYNC_REST, and TsRxOffset exceeds the turnaround. It is never cut:
     *  a receiver that is not ready at TsRxOffset counts the slot as late and does not listen. */
    uint16_t ts_rx_guard;
    /** Half of TsAckWait: likewise about TsTxAckDelay, from TsRxAckDelay on. */
    uint16_t ts_ack_guard;
} wm_tsch_template;

/** Ticks by which two clocks may differ right after a correction: a beacon corrects from two ticks
 *  on, times are read in whole ticks, and the turnaround is not a whole number of them. */
#define WM_TSCH_SYNC_REST 3u

/** Ticks in which two crystals of +30.5 and -30.5 ppm drift apart by one. Without a correction a
 *  leaf stays in its slots for less than (ts_rx_guard - WM_TSCH_SYNC_REST) * WM_TSCH_DRIFT_TICKS
 *  ticks, and then scans. */
#define WM_TSCH_DRIFT_TICKS 16384u

/** A root sends beacons and keeps the time; a leaf joins by a beacon and follows. */
typedef enum wm_tsch_role { WM_TSCH_ROOT = 0, WM_TSCH_LEAF = 1 } wm_tsch_role;

/** Everything that may differ from network to network. */
typedef struct wm_tsch_config {
    uint8_t role;        /**< wm_tsch_role */
    uint8_t level;       /**< security level of data and Enh-Ack, 1..7; 0 with `unsecured` */
    uint8_t key_id_mode; /**< KeyIdMode of every secured frame, 0..3 */
    /** true: Frame Counter in the ASH and in the nonce; false: both give way to the ASN */
    bool counter_carried;
    bool unsecured;       /**< a network without security: `level` must be 0 */
    uint8_t profile;      /**< wm_profile */
    uint8_t join_channel; /**< channel a leaf scans on, 11..26 */
    uint16_t pan;
    uint8_t eui64[8];          /**< own extended address, most significant octet first */
    uint8_t peer[8];           /**< the one neighbour's extended address */
    uint8_t beacon_key_index;  /**< KeyIndex of key slot 0 */
    uint8_t data_key_index;    /**< KeyIndex of key slot 1 */
    uint8_t key_source[8];     /**< Key Source of KeyIdMode 2 (first 4) and 3, as on air */
    uint16_t slotframe_length; /**< slots; slot 0 carries the EB */
    /** slots 1..data_cells, as far as there are so many, carry data from leaf to root; in the others
     *  both sleep. Not 0 */
    uint16_t data_cells;
    /** a leaf has data for one of so many of these cells; 0 and 1: for each */
    uint16_t data_every;
    /** a root sends its EB in one of so many slotframes; 0 and 1: in each. The leaf listens in all */
    uint16_t beacon_every;
    /** a leaf without data sends an empty frame when it may keep its schedule for less than so many
     *  ticks: the Enh-Ack corrects its clock. 0: never */
    uint32_t keep_alive;
    wm_psdu_len frame_len; /**< octets of a secured data frame, FCS and MIC included, e.g. 127 */
    /** a leaf's: latest ASN that it believes of an EB when it joins, most significant octet first;
     *  not zero. All ones: any. See wm_tsch_limit_join */
    uint8_t join_asn_max[5];
    wm_tsch_template timing;
} wm_tsch_config;

/** Default template of the 2.4 GHz O-QPSK PHY, rounded to ticks; its identifier is 0. */
extern const wm_tsch_template wm_tsch_template_default;

/** Ticks that security needed in the slots so far, in the worst case, measured by this node's own
 *  clock. A template with exactly these values passes the node's own checks in the same slots; with
 *  one tick less it fails, but where wm_port_listens_at_once: there rx_offset and rx_ack_delay may be
 *  a few ticks more than the least. A frame is ready in time if the clock, read after the alarm for
 *  sending was armed, is still before that alarm. Hence
 *
 *    tx_offset    = that reading - start of the slot       + turnaround + 1 (least TsTxOffset)
 *    tx_ack_delay = that reading - last octet of the frame + turnaround + 1 (least TsTxAckDelay)
 *
 *  and TsTimeslotLength must leave `tail` after TsTxOffset + TsMaxTx + TsTxAckDelay + TsMaxAck.
 *  rx_offset and rx_ack_delay are the same for the alarm that turns the receiver on: least
 *  TsRxOffset and TsRxAckDelay. A sender of data fills sec1, sec4, tx_offset, rx_ack_delay and
 *  tail, and rx_offset for beacons; a receiver sec2, sec3, tx_ack_delay and rx_offset, and
 *  tx_offset for its Enhanced Beacons. */
typedef struct wm_tsch_needs {
    uint16_t sec1, sec2, sec3, sec4; /**< durations */
    uint16_t tx_offset; /**< slot start to frame ready, + turnaround + 1: least TsTxOffset */
    /** end of data frame to Enh-Ack ready, + turnaround + 1: least TsTxAckDelay */
    uint16_t tx_ack_delay;
    uint16_t tail; /**< end of Enh-Ack to end of sec4 */
    /** slot start to receiver waiting for its moment, + turnaround + 1: least TsRxOffset */
    uint16_t rx_offset;
    /** end of data frame to the same, + turnaround + 1: least TsRxAckDelay */
    uint16_t rx_ack_delay;
} wm_tsch_needs;

/** What happened. Counters stop at their maximum. */
typedef struct wm_tsch_stats {
    uint8_t joined;     /**< 1 once synchronised (a root is from the start) */
    uint8_t last_error; /**< -wm_status of the latest refused frame, 0 if none */
    uint16_t beacons_sent, beacons_received;
    /** sender: slots begun with a frame, slots ended with an accepted Enh-Ack */
    uint16_t data_sent, data_acked;
    uint16_t data_received, acks_sent; /**< receiver */
    uint16_t refused;                  /**< received frames refused: FCS, policy, MIC */
    uint16_t late_tx_offset;           /**< the frame was not ready TsTxOffset into the slot */
    uint16_t late_tx_ack_delay; /**< no Enh-Ack was or could be ready TsTxAckDelay after a frame */
    uint16_t late_rx_offset;    /**< no receiver TsRxOffset into the slot: nothing was heard */
    uint16_t late_rx_ack_delay; /**< no receiver TsRxAckDelay after the frame: no Enh-Ack heard */
    uint16_t late_slot; /**< sec4 outlasted what TsSlotDuration leaves it, or a slot began late */
    int16_t correction_us; /**< latest applied time correction */
    wm_tsch_needs needs;
} wm_tsch_stats;

/** One node. Its own fields are private to the engine; `stats` and `asn` may be read at any
 *  time. */
typedef struct wm_tsch {
    wm_tsch_config config;
    wm_tsch_stats stats;
    uint8_t asn[5]; /**< Absolute Slot Number, most significant octet first */
    uint8_t state;
    uint16_t slot_start; /**< tick at which the current slot began */
    uint16_t frame_started, frame_ended;
    /** ticks by which the next slot begins later than TsTimeslotLength says: correction */
    int16_t shift;
    uint16_t tail_limit;   /**< ticks that the template leaves sec4 */
    uint16_t slot_offset;  /**< ASN mod slotframe_length */
    uint8_t channel_index; /**< ASN mod hopping sequence length */
    bool slot_used;        /**< the node does something in the slot */
    /** tsch_ahead.h: the header of this slot's data frame is built, the frame has no payload; the
     *  Enh-Ack of this slot's frame is built */
    bool built, empty, answered;
    /** tsch_ahead.h: after joining, the first slot that this node begins is a slot's length ahead */
    bool prepares;
    uint16_t skipped; /**< of a root's beacons, of a leaf's data frames: still to be skipped */
    uint8_t seq;      /**< of the latest own frame, or of the frame being acknowledged */
    /** a leaf's: ticks until two clocks may be a guard time apart, 0 when they may be now */
    uint32_t sync_left;
    uint32_t tx_counter; /**< next outgoing frame counter */
    /** least acceptable counter of the peer, by key slot; frames without MIC (level 4) do not move
     *  it */
    uint32_t rx_counter[WM_KEY_SLOTS];
    wm_frame_job tx, rx;
    uint8_t tx_frame[WM_PSDU_MAX], rx_frame[WM_PSDU_MAX];
} wm_tsch;

/** Prepares a node. The keys are given to the strategy (wm_port_key) by the caller.
 *  @retval WM_ERR_PARAM  a configuration that cannot work: a value out of its range, level 4
 *                        outside the 2011 profile, frame_len without room for header and MIC or
 *                        over TsMaxTx, delays shorter than the turnaround, guard times that do
 *                        not fit before or are too short for what a correction leaves, values that a Timeslot
 *                        IE cannot carry (TsMaxTx and the slot excepted: 65.5 ms), a slot shorter
 *                        than its parts, or a join channel on which no beacon ever falls because
 *                        slotframe_length and the 16 channels share a factor */
WM_NODISCARD wm_status wm_tsch_init(wm_tsch *tsch, const wm_tsch_config *config);

/** The values that a restart must not set back: the next outgoing frame counter, the least
 *  acceptable counters by key slot, and an ASN, most significant octet first, in which this node
 *  has not yet secured or accepted anything. All ones: used up. */
typedef struct wm_tsch_resumption {
    uint32_t tx_counter;
    uint32_t rx_counter[WM_KEY_SLOTS];
    uint8_t asn[5];
} wm_tsch_resumption;

/** Call this between wm_tsch_init and wm_tsch_start: the node continues from these values. Without
 *  it a node begins counters and ASN at 0, which is right once per key. The values come from a
 *  wm_counter_store; the port keeps them ahead of use. wm_port_secure refuses a frame whose counter
 *  or ASN the store did not grant, and nothing is sent. After the MIC, wm_port_receive refuses a
 *  frame whose counter or ASN the store did not keep, and the frame has no effect.
 *  @retval WM_ERR_STATE    started already
 *  @retval WM_ERR_COUNTER  a value is less than the node's; nothing changed */
WM_NODISCARD wm_status wm_tsch_resume(wm_tsch *tsch, const wm_tsch_resumption *from);

/** Does nothing unless the node is off, as it is after wm_tsch_init: in a slot that has begun the
 *  nonces of its ASN may be used. A root begins with ASN 0, or with the ASN it resumes with, one slot from now. A leaf starts to
 *  scan for EBs. A leaf takes ASN, timeslot template and slotframe length from the first EB that
 *  authenticates. The nonce needs the ASN of an EB before its MIC is checked. The node keeps that
 *  ASN only if the MIC is right, and never if it is lower than an ASN that this node has used: a
 *  replayed EB must not bring old nonces back. */
void wm_tsch_start(wm_tsch *tsch);

/** Replaces join_asn_max, at any time: the latest ASN that a scanning leaf believes of an EB.
 *
 *  Whoever knows the beacons' key, and K1 of RFC 8180 is public, can send an EB with any ASN. A leaf
 *  that scans believes it, and from then on it refuses its true network until that gets there,
 *  because a lower ASN would bring old nonces back; if the ASN is stored, over restarts too. Nothing
 *  under that key can prevent this. The limit bounds it: a leaf that knows the time to within an hour
 *  sets it an hour ahead, and is shut out for an hour at most. A joined leaf believes its own ASN
 *  only. A secret key for beacons leaves this to its members. */
void wm_tsch_limit_join(wm_tsch *tsch, const uint8_t asn[5]);

/** The alarm went off. */
void wm_tsch_on_alarm(wm_tsch *tsch);

/** SFD of a frame, sent or received, ended at `tick`. */
void wm_tsch_on_frame_start(wm_tsch *tsch, uint16_t tick);

/** The last octet of a frame, sent or received, ended at `tick`. */
void wm_tsch_on_frame_end(wm_tsch *tsch, uint16_t tick);

/** Whether the node has nothing to do before its next slot, which begins with wm_port_radio_tune: a
 *  frame that is loaded now will not be sent, for it was late, or its cause was refused. A board that
 *  cannot sleep deeply with it drops it. */
bool wm_tsch_rests(const wm_tsch *tsch);

/** Policy: may this received frame be unsecured, and with which key? Called by wm_port_receive
 *  after parsing. Fills key_slot, nonce_form, asn, profile and src_ext of `job`. Refuses what the
 *  state does not expect: other frame types, addresses, levels, key identifiers, counters already
 *  seen. */
WM_NODISCARD wm_status wm_tsch_admit(const wm_tsch *tsch, wm_frame_job *job);

WM_C_END

#endif
