/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ascon.h
 *  The state of the Ascon permutation (NIST SP 800-232 §3), which Ascon-Hash256 and
 *  Ascon-AEAD128 share. It is a part of their contexts; applications use nothing of it. The
 *  order of its bits differs between CPUs. */
#ifndef WARDMOTE_ASCON_H
#define WARDMOTE_ASCON_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** S_0 to S_4. Each is the low and the high half of its 64 bits, or the same octets in parts for
 *  code that treats all bits alike. */
typedef union wm_ascon_state {
    uint32_t lane[5][2];
    uint16_t half[5][4];
    uint8_t octet[5][8];
} wm_ascon_state;

WM_C_END

#endif
