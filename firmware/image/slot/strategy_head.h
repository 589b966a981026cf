/* SPDX-License-Identifier: BSD-3-Clause */
/** @file strategy_head.h
 *  The header of a received frame, for strategies that do not read the whole frame first.
 *  Inline, because the time from the end of a frame to its answer lengthens the slot. */
#ifndef IMAGE_SLOT_STRATEGY_HEAD_H
#define IMAGE_SLOT_STRATEGY_HEAD_H

#include "strategy.h"

/** The length of a header is known only after parsing. Read this much first: FCF, sequence number,
 *  PAN identifier, two extended addresses, 14 octets of ASH, Time Correction IE. A longer header
 *  takes a second read. */
#define STRATEGY_HEAD_LEN (2 + 1 + 2 + 8 + 8 + WM_ASH_MAX + 4)

/** Octets that must be read before a frame can be judged. For most frames that is the header. It is
 *  the whole frame for a beacon, because the engine needs its ASN, for a frame without security,
 *  and for a frame that cannot be parsed yet, perhaps because octets are missing. */
static inline uint8_t strategy_head_len(const wm_frame_job *job, wm_status parsed)
{
    if (parsed != WM_OK || !job->mhr.security_enabled || job->mhr.type == WM_FRAME_BEACON) {
        return job->len;
    }
    return job->map.private_payload;
}

/** Reads `len` octets of the frame from octet `from` on; those before it have been read. */
typedef void strategy_more(uint8_t from, uint8_t *to, uint8_t len);

/** Parses the header of a frame. Its first STRATEGY_HEAD_LEN octets are read, if it has that many;
 *  reads more if the header needs them. `have` counts octets read; encrypted ones may be among
 *  them. */
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
