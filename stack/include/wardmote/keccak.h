/* SPDX-License-Identifier: BSD-3-Clause */
/** @file keccak.h
 *  The state of Keccak-f[1600] (FIPS 202 §3). A part of contexts; nobody calls anything of it, and
 *  the order of its bits is not the same on every CPU. */
#ifndef WARDMOTE_KECCAK_H
#define WARDMOTE_KECCAK_H

#include <stdint.h>

/** Lane (x, y) at x + 5 y, as its low and its high half; in parts as well, for what treats all bits
 *  alike. */
typedef union wm_keccak_state {
    uint32_t lane[25][2];
    uint16_t half[25][4];
    uint8_t octet[25][8];
} wm_keccak_state;

#endif
