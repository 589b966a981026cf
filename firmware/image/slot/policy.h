/* SPDX-License-Identifier: BSD-3-Clause */
/** @file policy.h
 *  Who decides about a frame, besides the engine: nobody (policy_engine.c), or the procedures of the
 *  standard over the tables of a PIB (policy_pib.c). Each also fulfils wm_port_admits and
 *  wm_port_builds of wardmote/port/tsch_port.h. */
#ifndef IMAGE_SLOT_POLICY_H
#define IMAGE_SLOT_POLICY_H

#include <wardmote/tsch.h>

/** Once, before the first key.
 *  @retval false  it has no tables for such a configuration */
WM_NODISCARD bool policy_start(const wm_tsch_config *config);

/** A key slot has its key. */
void policy_key(uint8_t slot);

/** A frame that is to be secured now.
 *  @return  WM_OK, or why it is not sent */
WM_NODISCARD wm_status policy_secures(const wm_frame_job *job);

/** The engine did not secure that frame, and it is not sent: the next one may have its counter. */
void policy_unsecured(const wm_frame_job *job);

/** A received frame, `status` what its MIC says. Counters count here.
 *  @return  `status`, or why the frame is refused all the same */
WM_NODISCARD wm_status policy_received(const wm_frame_job *job, wm_status status);

#endif
