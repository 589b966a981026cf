/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tsch_engine.h
 *  What the files of the TSCH engine share: states, frames prepared ahead, small helpers.
 *
 *  tsch.c         configuration, start, joining, resynchronisation
 *  tsch_slot.c    the slot: what happens at each alarm and frame event
 *  tsch_admit.c   policy for received frames
 *  tsch_frames.c  data frame, Enh-Ack and Enhanced Beacon
 *  tsch_resume.c  where a node goes on after a restart
 *  tsch_ahead*.c  frames secured ahead of their slot and while they are on the air
 *  tsch_time.c    ticks, ASN, hopping */
#ifndef WM_LINK_TSCH_ENGINE_H
#define WM_LINK_TSCH_ENGINE_H

#include <wardmote/tsch.h>
#include "tsch_time.h"

#define WM_KEY_BEACON 0
#define WM_KEY_DATA 1
#define WM_KEY_NONE 0xFF
#define WM_EB_LEVEL 1 /**< MIC-32 (RFC 8180: key K1); 0 in an unsecured network */

/** The state says which event the node waits for. */
typedef enum wm_tsch_state {
    WM_TSCH_OFF,
    WM_TSCH_SCAN,       /**< leaf without time: receiver on until an EB is accepted */
    WM_TSCH_SLEEP,      /**< alarm: the next slot begins */
    WM_TSCH_TX_READY,   /**< data or EB loaded. alarm: send it */
    WM_TSCH_TX_FRAME,   /**< on the air. frame end; alarm: the radio never said so */
    WM_TSCH_ACK_WAIT,   /**< receiver off. alarm: it is time to listen for the Enh-Ack */
    WM_TSCH_ACK_LISTEN, /**< frame start; alarm: no Enh-Ack */
    WM_TSCH_ACK_FRAME,  /**< frame end; alarm: longer than TsMaxAck */
    WM_TSCH_RX_WAIT,    /**< receiver off. alarm: it is time to listen */
    WM_TSCH_RX_LISTEN,  /**< frame start; alarm: no frame in this slot */
    WM_TSCH_RX_FRAME,   /**< frame end; alarm: longer than TsMaxTx */
    WM_TSCH_ACK_READY,  /**< Enh-Ack loaded. alarm: send it */
    WM_TSCH_ACK_SEND    /**< on the air. frame end; alarm: the radio never said so */
} wm_tsch_state;

/** Whether a template is consistent. Used for the node's configuration and for the template of an
 *  EB. */
bool wm_tsch_template_valid(const wm_tsch_template *timing, wm_psdu_len frame_len);

/** Ticks that the template leaves for sec4. */
uint16_t wm_tsch_tail_limit(const wm_tsch_template *timing);

/** The key slot that an ASH names by KeyIdMode, Key Source and KeyIndex; `usual` if both would fit.
 *  WM_KEY_NONE: no key of ours. */
uint8_t wm_tsch_find_key(const wm_tsch_config *config, const wm_ash *ash, uint8_t usual);

/** Builds the data frame of this slot in clear in `tsch->tx`: looks its key up, writes the header and
 *  asks the application for the payload, unless `tsch->tx.len` says that the frame is empty.
 *  @retval WM_ERR_UNAVAILABLE_KEY  no key slot has the key that the configuration names
 *  @retval WM_ERR_PARAM            no such frame can be built from the configuration */
WM_NODISCARD wm_status wm_tsch_build_data(wm_tsch *tsch);

/** Builds the key, sequence number and header of the data frame of the slot for which the node sleeps;
 *  wm_tsch_build_data then adds the payload only. Does nothing a second time. */
WM_NODISCARD wm_status wm_tsch_build_ahead(wm_tsch *tsch);

/** Builds the Enh-Ack to the frame that arrives, whose start is known and whose sequence number is in
 *  `tsch->rx.mhr.seq`. It is not sent before the frame is authenticated. Does nothing a second
 *  time. */
WM_NODISCARD wm_status wm_tsch_build_answer(wm_tsch *tsch);

/** Writes what changes from slot to slot into the Enh-Ack that is prepared, as if the data frame `seq`
 *  had come. The time correction is still to come. */
void wm_tsch_expect_answer(wm_tsch *tsch, uint8_t seq);

/** The same for the Enhanced Beacon of the slot for which the node sleeps: all of it. */
void wm_tsch_expect_beacon(wm_tsch *tsch);

/** Prepare `tsch->tx`: header, ASH and content in clear, everything but what changes from slot to
 *  slot. Of a data frame the header alone: whether there is room for it.
 *  @retval WM_ERR_PARAM  no such frame can be built from the configuration */
WM_NODISCARD wm_status wm_tsch_prepare_data(wm_tsch *tsch);
WM_NODISCARD wm_status wm_tsch_prepare_ack(wm_tsch *tsch);
WM_NODISCARD wm_status wm_tsch_prepare_eb(wm_tsch *tsch);

/** Fill in what changes: sequence number, frame counter, ASN, and the Enh-Ack's time correction. */
void wm_tsch_finish_frame(wm_tsch *tsch);
WM_NODISCARD wm_status wm_tsch_finish_ack(wm_tsch *tsch, int16_t correction_us);

/** Secures and loads `tsch->tx`; on success its frame counter is used up. */
WM_NODISCARD wm_status wm_tsch_secure(wm_tsch *tsch);

/** Takes the received frame out of the radio into `tsch->rx`; if it is authenticated its counter can
 *  not come again.
 *  @retval WM_OK, WM_NOT_SECURED, WM_NOT_AUTHENTICATED  as wm_port_receive: admitted */
WM_NODISCARD wm_status wm_tsch_receive(wm_tsch *tsch);

/** Content of a verified EB in `tsch->rx`: joins a scanning leaf, resynchronises a joined one.
 *  False: keep scanning. */
bool wm_tsch_take_eb(wm_tsch *tsch);

/** The clock agrees with the network's now, but for WM_TSCH_SYNC_REST. */
void wm_tsch_synchronised(wm_tsch *tsch);

/** Receiver on, on the join channel, until an EB comes. */
void wm_tsch_scan(wm_tsch *tsch);

/** Goes on to the next slot that has not begun yet and sleeps until then. */
void wm_tsch_next_slot(wm_tsch *tsch);

/** Moves time, ASN and what depends on it one slot ahead. */
void wm_tsch_advance(wm_tsch *tsch);

/** Whether both nodes sleep in the current slot. */
static inline bool wm_tsch_slot_empty(const wm_tsch *tsch)
{
    return tsch->slot_offset > tsch->config.data_cells;
}

/** Ticks by which the frame whose start was heard last came before its time: of these an Enh-Ack's time
 *  correction tells. */
static inline int16_t wm_tsch_early(const wm_tsch *tsch)
{
    return (int16_t)(tsch->slot_start + tsch->config.timing.ts_tx_offset + WM_SFD_TICKS -
                     tsch->frame_started);
}

static inline void wm_count(uint16_t *counter)
{
    if (*counter != UINT16_MAX) {
        ++*counter;
    }
}

static inline void wm_raise(uint16_t *worst, uint16_t value)
{
    if (*worst < value) {
        *worst = value;
    }
}

static inline void wm_refused(wm_tsch *tsch, wm_status status)
{
    tsch->stats.last_error = (uint8_t)-status;
}

#endif
