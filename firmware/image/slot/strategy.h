/* SPDX-License-Identifier: BSD-3-Clause */
/** @file strategy.h
 *  The interface that the three strategies of image `slot` share. Each fulfils wm_port_key,
 *  wm_port_secure and wm_port_receive of wardmote/port/tsch_port.h:
 *
 *  | strategy | files strategy_*.c | AES                | CCM*                           |
 *  | -------- | ------------------ | ------------------ | ------------------------------ |
 *  | software | software, ccm      | CPU, variant `tab` | CPU                            |
 *  | hybrid   | hybrid, ccm        | board's engine     | CPU                            |
 *  | hardware | hardware_cc2420    | CC2420             | CC2420, in-line, in its FIFOs  |
 *  | hardware | hardware_cc2538    | CC2538             | CC2538, in RAM, by DMA         |
 *
 *  Strategies `ahead-software` and `ahead-hybrid` have strategy_ahead.c in the place of strategy_ccm.c:
 *  CCM* ahead of the slot and while a frame is on the air (wardmote/tsch_ahead.h). Strategy
 *  `ahead-hardware` has strategy_ahead_hardware.c and a file for the engine, which does so
 *  (wardmote/tsch_ahead_engine.h). The others do it at once, and have strategy_at_once.c.
 *
 *  policy_engine.c goes with each of them; a strategy `ahead-...-pib` has policy_pib.c in its place.
 *
 *  strategy_plan.c goes with all of them. The board's radio.h and engine.h say how they reach its
 *  radio and engine. */
#ifndef IMAGE_SLOT_STRATEGY_H
#define IMAGE_SLOT_STRATEGY_H

#include <wardmote/port/tsch_port.h>

/** Once, when the board has started. */
void strategy_start(void);

/** Nonce and split of one frame: link security without the cipher. */
typedef struct strategy_plan {
    wm_frame_split split;
    _Alignas(uint16_t) uint8_t nonce[WM_CCM_NONCE_LEN];
} strategy_plan;

/** Makes the plan for a frame to be secured: `job->len` octets in clear. */
WM_NODISCARD wm_status strategy_plan_secure(const wm_frame_job *job, strategy_plan *plan);

/** Makes the plan for a received frame that was admitted: `job->len` octets, MIC included. */
WM_NODISCARD wm_status strategy_plan_unsecure(const wm_frame_job *job, strategy_plan *plan);

/** What an opened frame is worth, for wm_port_receive. */
static inline wm_status strategy_opened(const strategy_plan *plan)
{
    return plan->split.mic_len == 0 ? WM_NOT_AUTHENTICATED : WM_OK;
}

/** Takes the length octet of a received frame.
 *  @retval WM_ERR_MALFORMED  no frame is that short or long */
WM_NODISCARD wm_status strategy_check_len(wm_frame_job *job, uint8_t psdu_len);

/** Takes the octet that stands for the second FCS octet.
 *  @retval WM_ERR_FCS */
WM_NODISCARD wm_status strategy_check_fcs(uint8_t correlation);

/* strategy_ccm.c and strategy_ahead.c ask this of strategy_software.c or strategy_hybrid.c. */

/** The block cipher under the key of a slot, for one frame; the modes refuse it while the slot has
 *  none. */
const wm_cipher *strategy_cipher(uint8_t slot);

/** Makes the key of a slot. */
void strategy_key(uint8_t slot, const uint8_t key[16]);

#endif
