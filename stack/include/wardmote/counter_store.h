/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_store.h
 *  Frame counters that outlive a power cut: no (key, nonce) is used twice and no frame is accepted
 *  twice, whenever power fails, as long as the medium behaves as port/counter_port.h says.
 *
 *  A slot is one counter: an outgoing one (of a key, or of the device), or the lowest counter that
 *  is still accepted from one peer under one key. The caller decides which slot is which. The store
 *  does not keep the counter but a limit that the counter has not passed, which grows by whole
 *  blocks. So it writes the medium once in `block` frames, before the first of them is sent or
 *  released. After a reboot the counter begins at its limit.
 *
 *  The price: a reboot skips up to block - 1 outgoing counters. It also refuses up to block - 1
 *  frames of a peer, those between the peer's true counter and the limit, until the peer's counter
 *  passes the limit.
 *
 *  Wear, with R = segment_octets / P - 2 records in a segment (P = 8, 12 or 16 octets for units of 2,
 *  4 or 8), L slots that hold a limit, and S
 *  segments: a compaction (one erasure) comes at most once in R - L records, and each segment is
 *  erased in every S-th. Per slot, frames write at most one record in `block` frames. A reboot
 *  writes one more record for each slot that is used after it, and wastes at most one. A power cut
 *  within a compaction costs one more erasure. */
#ifndef WARDMOTE_COUNTER_STORE_H
#define WARDMOTE_COUNTER_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/port/counter_port.h>

WM_C_BEGIN

/** Most slots a store can have; a segment must have room for one record more than there are
 *  slots. */
#define WM_COUNTER_SLOTS_MAX 128
#define WM_COUNTER_SLOTS_MAX_OCTETS 16 /**< with a bit a slot */

/** One store; its members are its own. All zero, it is one that is not open, and grants nothing.
 *  Static memory of the caller: 38 octets on a 16-bit CPU and 4
 *  a slot. */
typedef struct wm_counter_store {
    const wm_counter_port *port;
    void *medium;
    uint32_t *limit;     /**< of each slot, as in the medium */
    uint32_t generation; /**< of the active segment */
    uint32_t block;
    uint16_t places; /**< records a segment has room for */
    uint16_t next;   /**< first free place of the active segment */
    uint8_t slots, active;
    /** a bit a slot: its limit was written since the store was opened */
    uint8_t written[WM_COUNTER_SLOTS_MAX_OCTETS];
    bool failed; /**< the medium did not do what it was asked */
} wm_counter_store;

/** Makes a medium that holds no store an empty one: every counter begins at 0. Do this once, when
 *  the keys are installed, and never again under the same keys: in a step of production or of
 *  commissioning, not at boot. If power fails before it returns, do it again. Erases each segment
 *  once.
 *  @retval WM_ERR_PARAM    the port describes no medium that this store can use
 *  @retval WM_ERR_STATE    the medium holds a store; it is left as it is
 *  @retval WM_ERR_STORAGE  the medium failed, or holds a store that is damaged or what is no store
 *                          at all; it is left as it is unless it failed */
WM_NODISCARD wm_status wm_counter_store_create(const wm_counter_port *port, void *medium);

/** Ends the store that a medium holds, damaged or not, or makes other contents count for nothing.
 *  Then wm_counter_store_create may make a new one. Right only if every key has been replaced by one
 *  never used before. If power fails, the old store holds, or there is none; where it was damaged,
 *  it may still be.
 *  @retval WM_ERR_PARAM    as above
 *  @retval WM_ERR_STORAGE  the medium failed */
WM_NODISCARD wm_status wm_counter_store_destroy(const wm_counter_port *port, void *medium);

/** Reads the store. `limit` has room for `slots` (1..WM_COUNTER_SLOTS_MAX) limits; `block` is a
 *  power of two, 1..2^31. It may differ from the one the store was written with. Finishes a
 *  compaction that a power cut interrupted.
 *  @retval WM_ERR_PARAM    an argument out of range, too many slots for the segments, or the medium
 *                          has more
 *  @retval WM_ERR_NO_STORE there is none: wm_counter_store_create has not been done, or was
 *                          interrupted, or wm_counter_store_destroy has been done. This is no first
 *                          boot: a store created here reuses counters, unless the keys are new
 *  @retval WM_ERR_STORAGE  the medium failed, or lost or changed what was stored: no counter is
 *                          safe to use
 *  On anything but WM_OK every limit reads as exhausted and wm_counter_store_advance refuses. */
WM_NODISCARD wm_status wm_counter_store_open(wm_counter_store *store, const wm_counter_port *port,
                                             void *medium, uint32_t *limit, uint8_t slots,
                                             uint32_t block);

/** Where the counter of `slot` begins after wm_counter_store_open; 0 if it was never used.
 *  0xFFFFFFFF, also for a slot that is not there: exhausted. */
uint32_t wm_counter_store_limit(const wm_counter_store *store, uint8_t slot);

/** Can a counter of `slot` that stands at `next` go on from there? False for a counter that was not
 *  set to its limit after wm_counter_store_open, since its values may have been used, and for a
 *  slot that is not there or exhausted. Whatever block the store was written with, the answer is
 *  exact: until the limit is written anew, a counter begins at it or above; then it is less than a
 *  block behind. */
bool wm_counter_store_continues(const wm_counter_store *store, uint8_t slot, uint32_t next);

/** Call this before a counter is used (outgoing: `next` = counter + 1), or before a frame whose MIC
 *  was right is released (incoming: `next` = its counter + 1). On WM_OK a reboot will begin at
 *  `next` or above. Writes only if `next` is above the limit; it then returns after the record has
 *  been read back. `next` may skip any number of counters.
 *  @retval WM_ERR_PARAM    no such slot
 *  @retval WM_ERR_COUNTER  `next` is 0: it follows 0xFFFFFFFF, which no frame may have
 *  @retval WM_ERR_STORAGE  not stored: the counter must not be used, the frame not be released.
 *                          Once so, always so, until the store is opened anew; counters below the
 *                          limit are still granted, unless the medium is not ours any more. */
WM_NODISCARD wm_status wm_counter_store_advance(wm_counter_store *store, uint8_t slot,
                                                uint32_t next);

/** The counter of `slot` begins at 0 again: right only if its key has been replaced by one never
 *  used before.
 *  @retval WM_ERR_PARAM    no such slot
 *  @retval WM_ERR_STORAGE  not stored, as above. As the record may have reached the medium all the
 *                          same, the limits move to the next segment. If power or the medium fails
 *                          within that too, the counter may begin anew */
WM_NODISCARD wm_status wm_counter_store_clear(wm_counter_store *store, uint8_t slot);

/** Number of records that fit before the next compaction. A node that must not wait for an erasure
 *  inside a timeslot asks this when it has time, and calls wm_counter_store_compact when few are
 *  left. */
uint16_t wm_counter_store_free(const wm_counter_store *store);

/** Erases the next segment and copies the limits there. wm_counter_store_advance does it by itself
 *  when it must.
 *  @retval WM_ERR_STORAGE  as above */
WM_NODISCARD wm_status wm_counter_store_compact(wm_counter_store *store);

WM_C_END

#endif
