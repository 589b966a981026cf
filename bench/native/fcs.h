/* SPDX-License-Identifier: BSD-3-Clause */
/** @file fcs.h
 *  Frame check sequences of 2 and 4 octets (IEEE 802.15.4-2015 7.2.11). That of 4 octets is ITU-T's
 *  CRC-32; Wireshark computes the same (packet-ieee802154.c, ieee802154_crc32_tvb). A frame of
 *  fewer than 4 octets is calculated as if zeros followed: only the clause says so, and no other
 *  implementation was found that does it. */
#ifndef WARDMOTE_FRAMES_FCS_H
#define WARDMOTE_FRAMES_FCS_H

#include "frames.h"

/** Tables with which the CRC of 16 bits takes eight octets at a time, that of 32 bits one. */
typedef struct fcs_tables {
    uint16_t of16[8][256];
    uint32_t of32[256];
} fcs_tables;

void fcs_prepare(fcs_tables *tables);

/** Octets of an FCS of this kind: 0, 2 or 4. */
uint8_t fcs_octets(uint8_t kind);

/** Whether the FCS behind `len` octets is right. */
bool fcs_right(const fcs_tables *tables, uint8_t kind, const uint8_t *frame, uint32_t len);

/** Writes the FCS behind `len` octets; in place of a chip's two octets an FCS of 16 bits.
 *  @return its octets */
uint8_t fcs_put(const fcs_tables *tables, uint8_t kind, uint8_t *frame, uint32_t len);

#endif
