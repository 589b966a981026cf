/* SPDX-License-Identifier: BSD-3-Clause */
/** @file where.h
 *  At which octet a frame that wm_frame_parse refuses goes wrong. */
#ifndef WARDMOTE_FRAMES_WHERE_H
#define WARDMOTE_FRAMES_WHERE_H

#include <wardmote/security_pib.h>
#include "frames.h"

/** Fills `reason` and `where` of a result whose status is a refusal by the frame's own form; leaves
 *  others alone. */
void find_where(const uint8_t *frame, uint8_t len, wm_edition edition, frames_result *result);

#endif
