/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee_target.h
 *  What the targets of NWK and APS security share: counters in RAM that outlive a reset, a frame on
 *  its way. */
#ifndef WM_FUZZ_ZIGBEE_TARGET_H
#define WM_FUZZ_ZIGBEE_TARGET_H

#include "harness.h"
#include <wardmote/counter.h>
#include <wardmote/zigbee.h>

#define FUZZ_ZIGBEE_ROOM 255u
#define FUZZ_ZIGBEE_CLEAR 120u

/** A counter whose limit is kept; blocks have 4. */
typedef struct fuzz_counter {
    wm_counter counter;
    uint32_t limit;
} fuzz_counter;

/** Never used. */
void fuzz_counter_make(fuzz_counter *made);

/** A frame, and what was secured. */
typedef struct fuzz_zigbee_frame {
    uint8_t octet[FUZZ_ZIGBEE_ROOM], len;
    uint8_t clear[FUZZ_ZIGBEE_ROOM], clear_len;
    uint8_t source; /**< who secured it */
    uint8_t key;    /**< under which key */
    uint32_t counter;
    bool made; /**< by a node, and not changed since in what a MIC protects */
} fuzz_zigbee_frame;

/** Changes an octet of the frame, or not. Level bits of the auxiliary header at `aux_at` are
 *  protected unless they are `ignored`. */
void fuzz_zigbee_change(fuzz_input *in, fuzz_zigbee_frame *frame, uint8_t aux_at, bool ignored);

/** A frame counter: often small, at times the last ones. */
uint32_t fuzz_zigbee_counter(fuzz_input *in);

/** Whether a refused frame is as it came, or zero from some octet on. */
bool fuzz_zigbee_kept(const uint8_t *left, const fuzz_zigbee_frame *came);

#endif
