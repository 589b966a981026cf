/* SPDX-License-Identifier: BSD-3-Clause */
/** @file recipe.h
 *  Meaningful frames made from the fuzzer's octets: a header whose fields can be built, IEs, a
 *  payload. The first rule of the header refuses random octets, so they test nothing behind it. */
#ifndef WM_FUZZ_RECIPE_H
#define WM_FUZZ_RECIPE_H

#include "harness.h"
#include <wardmote/link_security.h>

/** Everything about one frame and how it is secured. */
typedef struct fuzz_frame {
    uint8_t octet[WM_PSDU_MAX];
    uint8_t len;
    wm_mhr mhr;
    wm_frame_map map;
    wm_security sec;
    uint8_t src_ext[8]; /**< what sec.src_ext points to, unless that is NULL */
} fuzz_frame;

/** Takes header fields from the input: each within its range, but not always a combination that can
 *  be built. */
void fuzz_take_mhr(fuzz_input *in, wm_mhr *mhr);

/** Takes profile, nonce form, ASN, key and, or not, the sender's extended address. */
void fuzz_take_security(fuzz_input *in, fuzz_frame *frame);

/** Takes a whole frame in clear that parses; the payload ends where the input does. `make_room`
 *  leaves octets for the MIC.
 *  @return false if the fields cannot be built or do not parse */
bool fuzz_take_frame(fuzz_input *in, fuzz_frame *frame, bool make_room);

/** The same for a frame whose header values are in `frame->mhr` already. */
bool fuzz_take_body(fuzz_input *in, fuzz_frame *frame, bool make_room);

#endif
