/* SPDX-License-Identifier: BSD-3-Clause */
/** @file psdu.h
 *  Where the frame of a record lies, and its FCS. */
#ifndef WARDMOTE_FRAMES_PSDU_H
#define WARDMOTE_FRAMES_PSDU_H

#include "frames.h"

/** The frame in a record. */
typedef struct psdu {
    const uint8_t *head;  /**< what the link type puts before it, `head_len` octets */
    const uint8_t *frame; /**< `len` octets, FCS excluded */
    uint32_t head_len;
    uint8_t len;
    uint8_t fcs_len; /**< 0 or 2 octets behind it */
    bool has_asn;
    uint64_t asn;
} psdu;

/** Tables with which the CRC takes eight octets at a time. */
typedef struct fcs_tables {
    uint16_t of[8][256];
} fcs_tables;

/** Finds the frame of a record. @return FRAMES_NO_REASON, or why it is none */
frames_reason psdu_find(uint32_t link_type, const uint8_t *octets, const frames_record *record,
                        psdu *found);

void fcs_prepare(fcs_tables *tables);

/** FCS of `len` octets (IEEE 802.15.4-2015 7.2.11). */
uint16_t fcs_of(const fcs_tables *tables, const uint8_t *octets, uint32_t len);

#endif
