/* SPDX-License-Identifier: BSD-3-Clause */
/** @file psdu.h
 *  Where the frame of a record lies, for every link type, and what the record says of it. */
#ifndef WARDMOTE_FRAMES_PSDU_H
#define WARDMOTE_FRAMES_PSDU_H

#include <wardmote/ieee802154.h>
#include "fcs.h"
#include "frames.h"

#define PSDU_MADE 28u /* a TAP header with FCS type, channel and LQI */

/** The frame in a record. */
typedef struct psdu {
    const uint8_t *frame; /**< `len` octets, FCS excluded; NULL: none was found */
    uint32_t head_len;    /**< octets of the record before it */
    wm_psdu_len len;
    uint8_t fcs; /**< kind of FCS behind it */
    bool has_asn, has_rss, has_channel, has_lqi;
    uint8_t page, lqi;
    uint16_t channel;
    float rss; /**< dBm */
    uint64_t asn;
} psdu;

/** Finds the frame of a record of the job's link type. @return FRAMES_NO_REASON, or why there is
 *  none */
frames_reason psdu_find(const frames_job *job, const uint8_t *octets, const frames_record *record,
                        psdu *found);

/** Writes what stands before the frame in the file written: what stood there in the record, or of a
 *  packet a TAP header, which is never longer. @return its octets */
uint32_t psdu_put_head(const frames_job *job, const psdu *found, uint8_t *out);

/** Corrects what stands before a frame whose length has changed to `len` octets, FCS included. */
void psdu_set_len(const frames_job *job, uint8_t *head, uint32_t len);

#endif
