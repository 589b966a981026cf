/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ascon.h
 *  The state of the Ascon permutation (NIST SP 800-232 §3), which Ascon-Hash256 and Ascon-AEAD128
 *  share. A part of their contexts; nobody calls anything of it, and the order of its bits is not
 *  the same on every CPU. */
#ifndef WARDMOTE_ASCON_H
#define WARDMOTE_ASCON_H

#include <stdint.h>

/** S_0 to S_4, each as the low and the high half of its 64 bits; in parts as well, for what treats
 *  all bits alike. */
typedef union wm_ascon_state {
    uint32_t lane[5][2];
    uint16_t half[5][4];
    uint8_t octet[5][8];
} wm_ascon_state;

#endif
