/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tsch_ahead.h
 *  What the files of work ahead of the slot share. */
#ifndef WM_LINK_TSCH_AHEAD_H
#define WM_LINK_TSCH_AHEAD_H

#include <wardmote/ct.h>
#include <wardmote/tsch_ahead.h>
#include "tsch_engine.h"

/** Keystream of a frame. */
static inline wm_block128 *wm_ahead_stream(wm_ahead *ahead, const wm_ahead_frame *frame)
{
    return frame == &ahead->ack ? ahead->ack_stream : ahead->data_stream;
}

/** Most blocks of it, S_0 included. */
static inline wm_psdu_len wm_ahead_room(const wm_ahead *ahead, const wm_ahead_frame *frame)
{
    return frame == &ahead->ack ? 1 : WM_AHEAD_BLOCKS;
}

/** Blocks that `m_len` octets need, S_0 included. */
static inline wm_psdu_len wm_ahead_need(wm_psdu_len m_len)
{
    return (wm_psdu_len)(1 + (m_len + 15u) / 16u);
}

/** Blocks that the CBC-MAC of a frame still takes. */
static inline uint16_t wm_ahead_mac_blocks(const wm_ccm_mac *mac)
{
    const uint16_t a = (uint16_t)((mac->a_left + mac->fill + (mac->has_a ? 2u : 0u) + 15u) >> 4);
    const uint16_t m = (uint16_t)((mac->m_left + 15u) >> 4);

    return (uint16_t)(a + m + mac->full);
}

/** Whether there is a verdict, and of the frame that arrives or has arrived: an alarm or a restart may
 *  end the slot of a frame that never ends, and its verdict says nothing of a later one. */
static inline bool wm_ahead_has_verdict(const wm_ahead *ahead, const wm_tsch *tsch)
{
    return ahead->followed && ahead->followed_tick == tsch->frame_started &&
           ahead->followed_asn[0] == tsch->asn[3] && ahead->followed_asn[1] == tsch->asn[4];
}

/** Ticks that so many blocks take at most, with 8 us each for what is done between them. */
static inline uint16_t wm_ahead_ticks(const wm_ahead *ahead, uint16_t blocks)
{
    return (uint16_t)(blocks * (ahead->block_ticks + WM_TICKS_UP(8)));
}

/** Wipes keystream and CBC-MAC; the frame is nobody's. Blocks that are wiped here were not used. */
void wm_ahead_wipe(wm_ahead *ahead, wm_ahead_frame *frame);

/** Its keystream has met its octets: nothing of it is left but a tag, and S_0 if the frame has no MIC.
 *  wm_ahead_clear_used wipes both. */
static inline void wm_ahead_release(wm_ahead_frame *frame)
{
    frame->made = 0;
    frame->known = false;
    frame->begun = false;
    frame->loaded = false;
    frame->used = true;
}

/** Wipes keystream of a frame behind its first `need` blocks. */
void wm_ahead_wipe_behind(wm_ahead *ahead, wm_ahead_frame *frame, wm_psdu_len need);

/** The frame turns out to need so many blocks of keystream: what was made for a longer one is wiped,
 *  and no more is made. wm_ahead_release would leave it there. */
static inline void wm_ahead_trim(wm_ahead *ahead, wm_ahead_frame *frame, wm_psdu_len need)
{
    if (frame->need > need) {
        frame->need = need;
    }
    if (frame->made > need) {
        wm_ahead_wipe_behind(ahead, frame, need);
    }
}

/** Wipes what wm_ahead_release left. */
void wm_ahead_clear_used(wm_ahead *ahead, wm_ahead_frame *frame);

/** Wipes all of a frame that was begun and is given up. */
void wm_ahead_drop(wm_ahead *ahead, wm_ahead_frame *frame);

/** The frame that leaves gets no MIC any more. */
void wm_ahead_give_up(wm_ahead *ahead);

/** Makes `frame` that of this key and nonce: wipes it if it is another's.
 *  @retval false  it is theirs already */
bool wm_ahead_belong(wm_ahead *ahead, wm_ahead_frame *frame, uint8_t key_slot,
                     const uint8_t nonce[13]);

/** Makes the next block of keystream. */
WM_NODISCARD wm_status wm_ahead_make(wm_ahead *ahead, wm_ahead_frame *frame);

/** Begins the CBC-MAC of a frame of such lengths, unless it has begun and `kept`: the octets that it
 *  holds are those of this frame. */
void wm_ahead_begin(wm_ahead_frame *frame, const wm_frame_split *split, bool kept);

/** Takes octets of the frame up to octet `end` into its CBC-MAC, one block of AES at most.
 *  @retval WM_OK           see `made`: whether a block was encrypted
 *  @retval WM_ERR_ENGINE, WM_ERR_STATE  the cipher failed, no key */
WM_NODISCARD wm_status wm_ahead_absorb(wm_ahead *ahead, wm_ahead_frame *frame,
                                       const uint8_t *octets, wm_psdu_len end, bool *made);

/** The same until nothing is left to take. */
WM_NODISCARD wm_status wm_ahead_absorb_all(wm_ahead *ahead, wm_ahead_frame *frame,
                                           const uint8_t *octets, wm_psdu_len end);

/** The tag, in the CBC-MAC's place: CBC-MAC xor S_0, which is used up. */
WM_NODISCARD wm_status wm_ahead_tag(wm_ahead *ahead, wm_ahead_frame *frame);

/** Nonce and split of a frame that is admitted or built. */
typedef struct wm_ahead_plan {
    wm_frame_split split;
    uint8_t nonce[13];
} wm_ahead_plan;
WM_NODISCARD wm_status wm_ahead_nonce(const wm_frame_job *job, uint8_t nonce[13]);

/** Takes the frame that has begun to arrive, to its end: see tsch_ahead_receive.c. */
void wm_ahead_follow(wm_ahead *ahead, wm_tsch *tsch);

/** The node sleeps for a slot: counts the cells of both nodes, once for each slot, and uses up this
 *  node's counter and sequence number of a cell in which it sent nothing. Its peer so knows those of
 *  the next frame, whatever was lost. */
void wm_ahead_begin_cell(wm_ahead *ahead, wm_tsch *tsch);

/** Looks up what there is to do in this part of the slot, and wipes what was used. */
void wm_ahead_plan_slot(wm_ahead *ahead, wm_tsch *tsch);

/** Nothing is to do in this part of the slot. What was made stays. */
void wm_ahead_plan_nothing(wm_ahead *ahead);

/** Octets of the header of a frame of this configuration, without IEs. */
static inline wm_psdu_len wm_ahead_header_len(const wm_tsch *tsch)
{
    return (wm_psdu_len)(WM_AHEAD_HEADER_MIN - 1u + wm_ash_len(&tsch->tx.mhr.ash));
}

/** Split of a secured frame of this configuration, `len` octets with its MIC: a data frame, or else an
 *  Enh-Ack, all of which is a.
 *  @retval false  no such frame */
bool wm_ahead_forecast(const wm_tsch *tsch, bool data, wm_psdu_len len, wm_frame_split *split);

/** Whether this kind of frame is followed in this state. */
bool wm_ahead_follows(const wm_tsch *tsch);

/** Loads the rest of the frame that leaves.
 *  @retval false  it is loaded already */
bool wm_ahead_load_rest(wm_ahead *ahead);

/** Begins the Enh-Ack of a frame that arrives, and loads all of it but its MIC. */
void wm_ahead_prepare_answer(wm_ahead *ahead, wm_tsch *tsch);

/** Ticks of `psdu_len` octets with preamble, SFD and length on the air, rounded up. */
static inline uint16_t wm_ahead_air(wm_psdu_len psdu_len)
{
    return (uint16_t)wm_air_ticks(psdu_len);
}

#endif
