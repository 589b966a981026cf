/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter.h
 *  A counter that outlives a reset, whatever keeps it: a slot of a store in flash (counter_slot.h),
 *  or two cells of EEPROM (counter_cells.h). Each has a type of its own, whose first member is a
 *  wm_counter, and makes it with its own call. Pass `&slot.counter`.
 *
 *  What is kept is not the counter but a limit that it has not passed. So the medium is written once
 *  in as many counters as a block has. After a reset the counter begins at its limit. */
#ifndef WARDMOTE_COUNTER_H
#define WARDMOTE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_COUNTER_EXHAUSTED 0xFFFFFFFFu /**< a limit from which no counter can go on */

struct wm_counter;

/** What a kind of counter gives to those who use it. A constant. */
typedef struct wm_counter_ops {
    /** Where the counter begins after it was opened; 0: it was never used. */
    uint32_t (*limit)(const struct wm_counter *counter);
    /** Whether a counter that stands at `next` can go on from there: not one that was not set to
     *  its limit, since its values may have been used. */
    bool (*continues)(const struct wm_counter *counter, uint32_t next);
    /** Call this before counter `next` - 1 is used. On WM_OK a reset will begin at `next` or above.
     *  WM_ERR_COUNTER: `next` is 0. WM_ERR_STORAGE: not stored, the counter must not be used. */
    wm_status (*advance)(struct wm_counter *counter, uint32_t next);
    /** The counter begins at 0 again: right only under a key that was never used before. Store that
     *  key first, where it outlives a reset: if power fails in here, the counter may begin
     *  anew or not, and the old key must not come back. WM_ERR_STORAGE: not stored. */
    wm_status (*clear)(struct wm_counter *counter);
} wm_counter_ops;

/** A counter of any kind. */
typedef struct wm_counter {
    const wm_counter_ops *ops; /**< NULL: not made */
} wm_counter;

/** Whether there is a counter: not NULL, and not one of zeros, which was not made. */
static inline bool wm_counter_made(const wm_counter *counter)
{
    return counter != NULL && counter->ops != NULL;
}

WM_C_END

#endif
