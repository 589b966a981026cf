/* SPDX-License-Identifier: BSD-3-Clause */
/* Replays of frames whose nonce carries the ASN. A mote needs no memory of them: it makes the nonce
 * with the ASN of its own slot, which never returns. A capture says the ASN itself, so the same
 * record could come twice. */
#include <string.h>
#include "state.h"

/* FNV-1a, of what tells a sender under a key from another. */
static uint32_t hash_of(const sender_asn *one)
{
    uint32_t hash = 2166136261u;

    for (uint8_t i = 0; i < sizeof one->octet; i++) {
        hash = (hash ^ one->octet[i]) * 16777619u;
    }
    hash = (hash ^ one->pan) * 16777619u;
    return (hash ^ ((uint32_t)one->mode << 8 | one->key)) * 16777619u;
}

static bool is_same(const sender_asn *a, const sender_asn *b)
{
    return a->key == b->key && a->mode == b->mode && a->pan == b->pan &&
           memcmp(a->octet, b->octet, sizeof a->octet) == 0;
}

bool state_is_replay(frames_state *state, const wm_mhr *mhr, uint16_t key, uint64_t asn,
                     bool *watched)
{
    const wm_addr *source = &mhr->src;
    sender_asn wanted = {.asn = asn, .key = (uint8_t)(key + 1u)};

    *watched = true;
    if (mhr->type == WM_FRAME_ACK && source->mode == WM_ADDR_NONE && state->has_answered) {
        source = &state->answered.dst;
    }
    wanted.mode = source->mode;
    if (source->mode == WM_ADDR_EXT) {
        memcpy(wanted.octet, source->octet, 8);
    } else {
        wanted.pan = mhr->src_pan;
        memcpy(wanted.octet, source->octet, source->mode == WM_ADDR_SHORT ? 2 : 0);
    }
    uint32_t at = hash_of(&wanted);
    for (;; at++) { /* a quarter of the places at least is free, which ends the search */
        sender_asn *one = state->senders + at % SENDER_PLACES;
        if (one->key == 0) {
            *watched = state->sender_count < FRAMES_SENDERS;
            if (*watched) {
                *one = wanted;
                state->sender_count++;
            }
            return false;
        }
        if (is_same(one, &wanted)) {
            const bool replay = asn <= one->asn;
            one->asn = replay ? one->asn : asn;
            return replay;
        }
    }
}
