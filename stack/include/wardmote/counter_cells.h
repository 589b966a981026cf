/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_cells.h
 *  One counter in two cells of a medium that is written octet by octet (port/counter_cells_port.h).
 *  It promises what counter_store.h promises, in a tenth of its flash: no counter is used twice,
 *  whenever power fails.
 *
 *      cell    limit 4, least significant octet first | complement of each of its octets 4
 *
 *  The limit is the higher one of two right cells. The cell with the lower one is written next: its
 *  limit, then the complements, each octet read back. From the first octet that changes to the
 *  complement of the last one, the cell is not right. So whatever an interrupted octet reads as, the
 *  cell is not right, or has its old limit, or its new one.
 *
 *  A cell that is not right was interrupted, or the medium lost it. The two are not told apart: a
 *  write raises a limit by at most two blocks, from one below the other cell to one above it, so the
 *  counter begins a block above the cell that is left. An interrupted write costs a block of
 *  counters.
 *
 *  Only `clear` leaves more than a block between two right cells, if power fails within it. The
 *  counter then begins at most a block above its old limit, or above 0, and opening makes the
 *  difference small again. This is right under the new keys alone: store them, where they outlive a
 *  reset, before `clear` is called. If the medium
 *  fails within `clear`, the old limit is written back, for the old keys hold.
 *
 *  Wear: each octet of a cell is written at most once in two blocks. A reset costs one more block, if
 *  the counter is used after it. */
#ifndef WARDMOTE_COUNTER_CELLS_H
#define WARDMOTE_COUNTER_CELLS_H

#include <wardmote/counter.h>

WM_C_BEGIN

#define WM_COUNTER_CELLS_OCTETS 16 /**< of the medium */

/** The counter. Its members are its own. Static memory of the caller. */
typedef struct wm_counter_cells {
    wm_counter counter;
    uint32_t limit;
    uint16_t at;
    uint16_t block;
    uint8_t lower; /**< the cell that is written next */
    bool written;  /**< the limit has risen since the counter was opened */
    bool failed;   /**< the medium did not do what it was asked */
} wm_counter_cells;

/** Makes a counter that begins at 0. Do this once, when the keys are installed, and never again
 *  under the same keys. If power fails before it returns, do it again: WM_ERR_STATE then says that
 *  it was done.
 *  @param at  address of the first of WM_COUNTER_CELLS_OCTETS octets
 *  @retval WM_ERR_STATE    there is a counter; it is left as it is
 *  @retval WM_ERR_STORAGE  the medium failed, or both cells are damaged, or hold something else */
WM_NODISCARD wm_status wm_counter_cells_create(uint16_t at);

/** Reads the counter. If a cell is not right, it is written anew.
 *  @param block  counters that one write grants, 1 or more. Never less than it was before, if the
 *                medium may lose octets
 *  @retval WM_ERR_PARAM    `block` is 0
 *  @retval WM_ERR_NO_STORE there is none: no cell is right, and the first is 0xFF throughout, as an
 *                          erased EEPROM is and as an interrupted creation leaves it
 *  @retval WM_ERR_STORAGE  the medium failed, or lost both cells: no counter is safe to use
 *  On anything but WM_OK the limit reads as exhausted and nothing is granted.
 *
 *  As wm_counter. `advance` writes a block after the other where `next` skips some. Once it has failed
 *  it grants what is below the limit, and no more. */
WM_NODISCARD wm_status wm_counter_cells_open(wm_counter_cells *cells, uint16_t at, uint16_t block);

WM_C_END

#endif
