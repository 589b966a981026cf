/* SPDX-License-Identifier: BSD-3-Clause */
/* Which segment holds the counters.
 *
 * Each compaction begins a generation in the next segment. A segment whose header is complete holds
 * everything; then the segment before it is retired, so that it cannot come back if that header is
 * lost. It is an error if a generation is missing although its predecessor says that it existed.
 *
 * A store ends when a segment that it does not need says so, with the number of its generation. From
 * then on nothing that is left of it counts, and the next store begins with the next number. When it
 * has begun, that segment says this, too: so its loss is not taken for its absence. */
#ifndef WARDMOTE_COUNTER_GENERATION_H
#define WARDMOTE_COUNTER_GENERATION_H

#include "counter_place.h"

#define WM_COUNTER_NONE 0xFFu
#define WM_COUNTER_GENERATION_LAST 0xFFFFFFFFu

typedef struct wm_counter_generation {
    uint32_t number; /* of the active segment; without one, the last that has ended */
    uint8_t active;  /* segment; or WM_COUNTER_NONE */
    uint8_t ended;   /* segment that says which generations have ended; or WM_COUNTER_NONE */
} wm_counter_generation;

/* The segment after this one; after WM_COUNTER_NONE, the last. */
uint8_t wm_counter_segment_after(const wm_counter_port *port, uint8_t segment);

/* Finds the newest generation.
 * @retval WM_ERR_NO_STORE  there is none, nor ever was one that has not ended
 * @retval WM_ERR_STORAGE   there was one, and it is lost */
wm_status wm_counter_search(const wm_counter_media *on, wm_counter_generation *found);

/* Retires what the active segment has replaced, a generation or its absence: power may have failed
 * before this was done. */
wm_status wm_counter_retire_others(const wm_counter_media *on, uint8_t active);

#endif
