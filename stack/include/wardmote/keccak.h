/* SPDX-License-Identifier: BSD-3-Clause */
/** @file keccak.h
 *  The state of Keccak-f[1600] (FIPS 202 §3). It is a part of contexts; applications use nothing
 *  of it. The order of its bits differs between CPUs. */
#ifndef WARDMOTE_KECCAK_H
#define WARDMOTE_KECCAK_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Lane (x, y) is at x + 5 y. Each is its low and its high half, or the same octets in parts for
 *  code that treats all bits alike. */
typedef union wm_keccak_state {
    uint32_t lane[25][2];
    uint16_t half[25][4];
    uint8_t octet[25][8];
} wm_keccak_state;

WM_C_END

#endif
