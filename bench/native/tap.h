/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tap.h
 *  The header of link type IEEE802_15_4_TAP. */
#ifndef WARDMOTE_FRAMES_TAP_H
#define WARDMOTE_FRAMES_TAP_H

#include "psdu.h"

/** Reads the header of a record of `len` octets. */
frames_reason tap_read(const uint8_t *octets, uint32_t len, psdu *found);

/** Writes a header with what is known of a frame: FCS type (16 bits for a chip's two octets),
 *  channel and LQI. @return its octets, at most PSDU_MADE */
uint32_t tap_write(const psdu *found, uint8_t *out);

#endif
