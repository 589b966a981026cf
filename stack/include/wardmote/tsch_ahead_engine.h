/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tsch_ahead_engine.h
 *  A TSCH node (tsch.h) with an engine that does CCM* whole, ahead of the slot and while frames are on
 *  the air: what tsch_ahead.h is to a block cipher. Such an engine needs no keystream ahead. The header
 *  of a data frame is built before its slot. A received frame is admitted as soon as its header is
 *  in, and the engine works while the rest arrives. The Enh-Ack is prepared meanwhile.
 *  docs/decisions/0028-ahead-of-the-slot.md has the rules.
 *
 *  A board has one wm_ahead_engine beside its wm_tsch. Its wm_port_secure, wm_port_receive and
 *  wm_port_key call wm_ahead_engine_secure, wm_ahead_engine_receive and wm_ahead_engine_forget, and its
 *  main loop calls wm_ahead_engine_work after each event. port/tsch_ahead_engine_port.h says what else the
 *  board supplies.
 *
 *  Safety. Nothing acts on a frame before its MIC. On a verdict that is not WM_OK, and when a frame is
 *  too long, stops or never ends, it is wiped, in the engine and the radio too. An Enh-Ack that is
 *  prepared belongs to one frame, and goes out only if that frame is authenticated. */
#ifndef WARDMOTE_TSCH_AHEAD_ENGINE_H
#define WARDMOTE_TSCH_AHEAD_ENGINE_H

#include <wardmote/linkage.h>
#include <wardmote/port/tsch_ahead_engine_port.h>
#include <wardmote/tsch.h>

WM_C_BEGIN

/** What a node does ahead. Set it to zeros before the first call. Private. */
typedef struct wm_ahead_engine {
    wm_engine_plan plan;     /**< of the received frame */
    wm_psdu_len read;        /**< octets of it that are in its buffer */
    uint16_t patience;       /**< ticks from its start until its octets have stopped */
    bool followed;           /**< a frame was taken while it arrived: `verdict` */
    bool opened;             /**< it is the engine's */
    bool rest;               /**< it is authenticated, and its m is still in the radio */
    uint16_t followed_tick;  /**< when it began */
    uint8_t followed_asn[2]; /**< low octets of its ASN */
    wm_status verdict;       /**< WM_OK: the engine has it */
    bool prepared;           /**< the Enh-Ack to it is in the radio */
    wm_psdu_len begun;       /**< octets of the own data frame to come that the engine has */
    wm_psdu_len begun_psdu;  /**< PSDU of that frame */
    uint8_t begun_asn[5];    /**< the slot of that frame */
    uint32_t begun_counter;  /**< its frame counter */
    uint16_t build_ticks;    /**< what building a header takes at most, as measured */
} wm_ahead_engine;

/** Does what there is time for until the next event; of a frame that arrives it waits for the part
 *  that the engine needs. Call it after each event, and again while it answers true, before the board
 *  sleeps.
 *  @retval false  there is nothing to do before the next event */
bool wm_ahead_engine_work(wm_ahead_engine *ahead, wm_tsch *tsch);

/** wm_port_secure of such a node. */
WM_NODISCARD wm_status wm_ahead_engine_secure(wm_ahead_engine *ahead, const wm_frame_job *job);

/** wm_port_receive of such a node. m of a data frame that wants an Enh-Ack may follow by
 *  wm_ahead_engine_work, before the next slot. */
WM_NODISCARD wm_status wm_ahead_engine_receive(wm_ahead_engine *ahead, wm_tsch *tsch,
                                               wm_frame_job *job);

/** Wipes the frame that wm_ahead_engine_receive has just given, in the radio too: there are rules
 *  besides those of this node, and they refuse it. */
void wm_ahead_engine_refuse(wm_ahead_engine *ahead, wm_frame_job *job);

/** Gives up all that is begun: before a key changes. */
void wm_ahead_engine_forget(wm_ahead_engine *ahead);

WM_C_END

#endif
