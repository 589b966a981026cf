/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/tsch_ahead_engine_port.h
 *  What a node whose engine does CCM* whole (tsch_ahead_engine.h) asks of its board besides
 *  port/tsch_port.h, and besides wm_port_arrived of port/tsch_ahead_port.h. */
#ifndef WARDMOTE_PORT_TSCH_AHEAD_ENGINE_PORT_H
#define WARDMOTE_PORT_TSCH_AHEAD_ENGINE_PORT_H

#include <wardmote/linkage.h>
#include <wardmote/port/tsch_ahead_port.h>
#include <wardmote/port/tsch_port.h>

WM_C_BEGIN

/** What is known of an admitted frame when its header is in. */
typedef struct wm_engine_plan {
    uint16_t even;        /**< not used: `nonce`, which follows, has an even address */
    uint8_t nonce[13];    /**< 13 octets, of CCM* */
    wm_frame_split split; /**< header, m and MIC */
} wm_engine_plan;

/** A frame begins to arrive: the engine will be asked to open it. */
void wm_port_open_expected(void);

/** Octets of the frame that wm_port_open wants in `job->frame`, header included. */
wm_psdu_len wm_port_open_at(const wm_engine_plan *plan);

/** Begins to open the frame that arrives, and may end it. Its header is admitted. `read` octets of it
 *  were taken out of the radio into `job->frame`: at least wm_port_open_at.
 *  @retval WM_OK  wm_port_opened or wm_port_open_drop will follow */
WM_NODISCARD wm_status wm_port_open(wm_frame_job *job, const wm_engine_plan *plan,
                                    wm_psdu_len read);

/** What came of it, after the end of the frame: FCS and MIC are checked, and that the engine did its
 *  work. `job->len` becomes that without MIC. If it says so, m is still in the radio.
 *  @param rest  true: wm_port_open_rest takes m
 *  @retval WM_OK, WM_NOT_AUTHENTICATED  as wm_port_receive
 *  @retval WM_ERR_FCS, WM_ERR_SECURITY, WM_ERR_ENGINE  wm_port_open_drop is to follow */
WM_NODISCARD wm_status wm_port_opened(wm_frame_job *job, const wm_engine_plan *plan, bool *rest);

/** Takes m of a frame that is authenticated out of the radio, also while the Enh-Ack leaves. */
void wm_port_open_rest(wm_frame_job *job, const wm_engine_plan *plan);

/** A frame that is refused, or never ends: nothing of its plaintext stays in engine and radio.
 *  @param opened  wm_port_open was called for it */
void wm_port_open_drop(bool opened);

/** Secures the Enh-Ack while its data frame arrives, so far that nothing can go out that is
 *  authenticated before wm_port_answer.
 *  @retval WM_OK  wm_port_answer may follow */
WM_NODISCARD wm_status wm_port_prepare_answer(const wm_frame_job *job);

/** The data frame is authenticated: wm_port_radio_send may follow.
 *  @retval WM_ERR_ENGINE  it must not */
WM_NODISCARD wm_status wm_port_answer(const wm_frame_job *job);

/** Loads what is known of the data frame of the slot to come: `job->len` octets of header, of a frame
 *  of `psdu_len` octets (MIC and FCS included). The radio is off.
 *  @retval WM_OK  wm_port_finish_data may follow */
WM_NODISCARD wm_status wm_port_prepare_data(const wm_frame_job *job, wm_psdu_len psdu_len);

/** wm_port_secure of that frame, whose first `have` octets were given before. */
WM_NODISCARD wm_status wm_port_finish_data(const wm_frame_job *job, wm_psdu_len have);

/** There will be no such frame. */
void wm_port_drop_data(void);

/** The radio was told to send the data frame or beacon that was secured last. What of it was not
 *  loaded yet is loaded now, while the radio turns around. Called again while the frame is on the
 *  air. */
void wm_port_load_rest(void);

/** wm_port_secure of any other frame. */
WM_NODISCARD wm_status wm_port_secure_at_once(const wm_frame_job *job);

/** wm_port_receive of a frame that was not followed. */
WM_NODISCARD wm_status wm_port_receive_at_end(struct wm_tsch *tsch, wm_frame_job *job);

WM_C_END

#endif
