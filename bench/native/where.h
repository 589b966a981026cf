/* SPDX-License-Identifier: BSD-3-Clause */
/** @file where.h
 *  Finds the octet at which a frame that wm_frame_parse refuses is malformed. */
#ifndef WARDMOTE_FRAMES_WHERE_H
#define WARDMOTE_FRAMES_WHERE_H

#include <wardmote/security_pib.h>
#include "frames.h"

/** Fills `reason` and `where` of a result whose status says that the frame is malformed; leaves
 *  other results alone. */
void find_where(const uint8_t *frame, wm_psdu_len len, wm_edition edition, frames_result *result);

#endif
