/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tsch_ahead.h
 *  A TSCH node (tsch.h) whose frames are secured ahead of their slot and while they are on the air. A
 *  node knows the ASN of its next cell, so it knows the nonces of that cell. It makes keystream while
 *  it has nothing else to do. The CBC-MAC of a frame is made while the frame leaves or arrives.
 *  docs/decisions/0028-ahead-of-the-slot.md has the rules.
 *
 *  A board has one wm_ahead beside its wm_tsch. Its wm_port_secure, wm_port_receive and wm_port_key
 *  (port/tsch_port.h) call wm_ahead_secure, wm_ahead_receive and wm_ahead_forget, and its main loop
 *  calls wm_ahead_work after each event. port/tsch_ahead_port.h says what else the board supplies.
 *
 *  Safety. A keystream belongs to one key and one nonce, that is, to one source and one ASN, or frame
 *  counter. The first frame that it meets takes it: then it is gone. It is wiped when the cell to come
 *  has another nonce: the slot was skipped, the ASN corrected, the counter used, the key changed. A
 *  received frame is decrypted in its buffer, and nothing acts on it before its MIC: it is wiped if
 *  the MIC is wrong, if it ends early, or if it never ends. */
#ifndef WARDMOTE_TSCH_AHEAD_H
#define WARDMOTE_TSCH_AHEAD_H

#include <wardmote/ccm_parts.h>
#include <wardmote/linkage.h>
#include <wardmote/port/tsch_ahead_port.h>
#include <wardmote/tsch.h>

WM_C_BEGIN

/** Octets of the shortest header of a data frame: FCF, sequence number, PAN identifier, two extended
 *  addresses, Security Control. */
#define WM_AHEAD_HEADER_MIN 22
/** S_0, and S_1 up to that of the last octet of the longest frame. */
#define WM_AHEAD_BLOCKS (1 + (WM_FRAME_MAX - WM_AHEAD_HEADER_MIN + 15) / 16)

/** What is made for one frame: keystream and CBC-MAC. Private. */
typedef struct wm_ahead_frame {
    uint8_t nonce[13];
    uint8_t key_slot;
    uint16_t cell; /**< low 16 bits of the ASN, and of the counter, that `nonce` was made of */
    uint16_t counter;
    bool known;  /**< nonce and key_slot say whose keystream this is */
    bool begun;  /**< `mac` belongs to a frame of these lengths */
    bool loaded; /**< all but its MIC is in the radio */
    bool used;   /**< nobody's; `mac` is still to be wiped */
    uint8_t mic_len;
    uint8_t seq;              /**< sequence number of the own header that is in `mac` */
    wm_psdu_len made;         /**< blocks of keystream, from S_0 on */
    wm_psdu_len need;         /**< blocks that the frame to come is thought to need */
    wm_psdu_len a_len, m_len; /**< of the frame of `mac` */
    wm_psdu_len at;           /**< octets of the frame that are in `mac` */
    wm_psdu_len end;          /**< octets up to here may be taken into it */
    const uint8_t *octets;    /**< the frame; NULL: nothing is planned */
    wm_ccm_mac mac;
} wm_ahead_frame;

/** Which counter and number the peer's next frame will have: a guess that costs time if it is wrong.
 *  Both follow the peer's cells. Private. */
typedef struct wm_ahead_peer {
    uint32_t next;       /**< counter after that of the latest frame that was authenticated */
    uint32_t own;        /**< this node's next counter when the latest cell began */
    uint32_t least_late; /**< least counter that is believed of a frame given up as late */
    uint32_t least;      /**< least counter of a beacon when the latest cell began */
    uint32_t passed;     /**< cells of the peer's since the latest frame that was authenticated */
    uint16_t offset;     /**< of the latest cell, in the slotframe */
    uint16_t begun;      /**< low 16 bits of the ASN of the latest cell */
    uint8_t seq;         /**< number of the latest data frame that was authenticated */
    uint8_t own_seq;     /**< this node's number when the latest cell began */
    uint8_t strange;     /**< frames in a row that came late because the guess was wrong */
    uint8_t in_vain;     /**< times that such a frame cost the next slot, and said nothing */
    bool heard;          /**< `next` and `seq` are the peer's */
    bool proved;         /**< a frame was authenticated that was not looked at here yet */
    bool late;           /**< it was given up as late */
    bool answered;       /**< a frame of the latest cell was authenticated */
    bool sends;          /**< the latest cell is one of the peer's */
    bool spends;         /**< it is one of this node's, which uses up a counter in it */
    bool quiet;          /**< the peer uses no number in cells in which it does not send */
    bool thrifty;        /**< nor a counter */
    bool joins;          /**< there is no cell yet */
} wm_ahead_peer;

/** What a node does ahead. Set it to zeros before the first call. `made` and `wasted` may be read. */
typedef struct wm_ahead {
    wm_ahead_frame data, ack;
    wm_block128 data_stream[WM_AHEAD_BLOCKS], ack_stream[1];
    /* ------ */
    const wm_frame_job *leaving; /**< its MIC is still to come; NULL: nothing is */
    wm_ahead_frame *leaves;      /**< what is made for it */
    wm_psdu_len m_loaded;        /**< octets of its m that are in the radio */
    wm_psdu_len read;            /**< octets of the received frame that are in its buffer */
    bool rests;                  /**< the receiver is off: that frame has ended */
    uint16_t patience;      /**< ticks from the start of that frame until its octets have stopped */
    bool followed;          /**< a frame was taken while it arrived: `verdict` */
    uint16_t followed_tick; /**< when that frame began */
    uint8_t followed_asn[2]; /**< low octets of its ASN */
    wm_status verdict;
    uint8_t planned;     /**< part of the slot for which it is known what to do */
    uint8_t planned_asn; /**< low octet of its ASN */
    wm_ahead_peer peer;
    uint16_t plan_ticks;  /**< what it takes to look that up at most, as measured */
    uint16_t block_ticks; /**< what one block takes at most, as measured */
    uint32_t made;        /**< blocks of keystream and CBC-MAC made ahead so far */
    uint32_t wasted;      /**< blocks of keystream among them that were wiped unused */
} wm_ahead;

/** Does what there is time for until the next event; while a frame may begin at any moment, at most
 *  one block of AES; while a frame arrives or leaves, all that it needs to its end. Call it after each
 *  event, and again while it answers true, before the board sleeps.
 *  @retval false  there is nothing to do before the next event, or no time for it */
bool wm_ahead_work(wm_ahead *ahead, wm_tsch *tsch);

/** wm_port_secure of such a node. The frame stays in `job->frame` until its MIC is made. */
WM_NODISCARD wm_status wm_ahead_secure(wm_ahead *ahead, const wm_frame_job *job);

/** wm_port_receive of such a node. */
WM_NODISCARD wm_status wm_ahead_receive(wm_ahead *ahead, wm_tsch *tsch, wm_frame_job *job);

/** Wipes all keystream and all that is begun: before a key changes. */
void wm_ahead_forget(wm_ahead *ahead);

WM_C_END

#endif
