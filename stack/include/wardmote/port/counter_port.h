/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/counter_port.h
 *  What counter_store.h asks of a medium: segments that are erased as a whole to ones, and octets
 *  whose bits are programmed from 1 to 0. Flash does so by itself; a file or a RAM behaves as if it
 *  did.
 *
 *  Power may fail within any of the calls. The store assumes of the medium then only this:
 *
 *    program  each bit of `from` that is 0 may be 0 or still 1 in the medium; no other bit changes
 *    erase    each bit of the segment that was 0 may be 1 or still 0; no other segment changes
 *
 *  A bit then stays as it is read after power returned, until it is programmed or erased. */
#ifndef WARDMOTE_PORT_COUNTER_PORT_H
#define WARDMOTE_PORT_COUNTER_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Unit of programming: offsets and lengths given to `program` are multiples of it. Between two
 *  erasures of its segment, each unit is programmed once, and possibly once more to zeros. */
#define WM_COUNTER_UNIT 2

/** One kind of medium. `medium` is the pointer given to the store and says which one of its kind. A
 *  call returns when the medium has done its work. The store treats anything but WM_OK as
 *  WM_ERR_STORAGE, and reads programmed octets back. */
typedef struct wm_counter_port {
    uint16_t segment_octets; /**< of each; even, at least 32 */
    uint8_t segments;        /**< 2 or more: each is erased once in as many compactions */
    wm_status (*read)(void *medium, uint8_t segment, uint16_t offset, uint8_t *to, uint16_t len);
    wm_status (*program)(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                         uint16_t len);
    wm_status (*erase)(void *medium, uint8_t segment);
    /** Whether the medium is still the caller's alone: false in a process that has a copy of it.
     *  Asked before each counter is granted. NULL: always */
    bool (*is_ours)(void *medium);
} wm_counter_port;

WM_C_END

#endif
