/* SPDX-License-Identifier: BSD-3-Clause */
/** @file strategy_head.h
 *  The header of a received frame, for strategies that do something else with the rest than to read
 *  it first. Inline, because the way from the end of a frame to its answer is time that a slot must
 *  have. */
#ifndef IMAGE_SLOT_STRATEGY_HEAD_H
#define IMAGE_SLOT_STRATEGY_HEAD_H

#include "strategy.h"

/** How long a header is shows only in the header. So much is read at once: FCF, sequence number,
 *  PAN identifier, two extended addresses, 14 octets of ASH, Time Correction IE. A longer one takes
 *  a second turn. */
#define STRATEGY_HEAD_LEN (2 + 1 + 2 + 8 + 8 + WM_ASH_MAX + 4)

/** Octets that must have been read before a frame can be judged: its header; all of a beacon, whose
 *  ASN the engine wants, and of a frame without security; and of one that cannot be parsed yet,
 *  perhaps as it is not all there. */
static inline uint8_t strategy_head_len(const wm_frame_job *job, wm_status parsed)
{
    if (parsed != WM_OK || !job->mhr.security_enabled || job->mhr.type == WM_FRAME_BEACON) {
        return job->len;
    }
    return job->map.private_payload;
}

/** Reads `len` octets of the frame from octet `from` on; those before it have been read. */
typedef void strategy_more(uint8_t from, uint8_t *to, uint8_t len);

/** Parses the header of a frame of which the first STRATEGY_HEAD_LEN octets are read, if it has so
 *  many; reads more when they are not enough. `have` counts octets read; encrypted ones may be
 *  among them. */
static inline wm_status strategy_parse_head(wm_frame_job *job, uint8_t *have, strategy_more *more)
{
    *have = STRATEGY_HEAD_LEN < job->len ? STRATEGY_HEAD_LEN : job->len;
    for (;;) {
        wm_status status = wm_frame_parse(job->frame, job->len, &job->mhr, &job->map);
        uint8_t need = strategy_head_len(job, status);
        if (need <= *have) {
            return status;
        }
        more(*have, job->frame + *have, (uint8_t)(need - *have));
        *have = need;
    }
}

#endif
