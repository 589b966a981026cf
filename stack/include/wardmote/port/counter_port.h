/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/counter_port.h
 *  What counter_store.h asks of a medium: segments that are erased as a whole to ones, and units of
 *  2, 4 or 8 octets whose bits are programmed from 1 to 0. Flash does so by itself; a file or a RAM
 *  behaves as if it did.
 *
 *  Between two erasures of its segment the store programs a unit once. A unit whose programming was
 *  interrupted is programmed again only if it reads as ones.
 *
 *  Power may fail within any of the calls. What the store assumes of the medium then depends on the
 *  unit.
 *
 *  Units of 2, each bit by itself:
 *
 *    program  each bit of `from` that is 0 may be 0 or still 1 in the medium; no other bit changes
 *    erase    each bit of the segment that was 0 may be 1 or still 0; no other segment changes
 *
 *  Units of 4 and 8, which may have an ECC. The units of one `program` are done in order:
 *
 *    program  the unit at work reads as it was, as it should be, as any octets at all, or its read
 *             fails; units before it are done, units after it and all others are as they were
 *    erase    each unit of the segment reads as it was, as ones, as octets of chance, or its read
 *             fails; no other segment changes
 *
 *  In both, what a unit reads as once power has returned it reads as until it is programmed or
 *  erased. An erasure that ends makes every unit good again. A unit that reads as ones can be
 *  programmed.
 *
 *  "Octets of chance": 8 + unit octets of an interrupted erasure could form a complete header. Of
 *  2^61 such segments one does with units of 4, and of 2^93 with units of 8. All else is certain.
 *
 *  Where the medium can tell that a unit is not right (ECC), `read` must fail instead of giving
 *  octets. Where the medium programs units of more than 8 octets, the port puts each unit of 8 at
 *  the beginning of one of the medium's, and reports as many octets fewer. An ECC over 2 octets
 *  counts as unit 4 in the same way. */
#ifndef WARDMOTE_PORT_COUNTER_PORT_H
#define WARDMOTE_PORT_COUNTER_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** One kind of medium. `medium` is the pointer given to the store and says which one of its kind. A
 *  call returns when the medium has done its work. The store treats anything but WM_OK as
 *  WM_ERR_STORAGE, and reads programmed octets back. */
typedef struct wm_counter_port {
    /** of each; a multiple of the unit, at least 32 in units of 2, 48 of 4, 64 of 8 */
    uint16_t segment_octets;
    uint8_t segments; /**< 2 or more: each is erased once in as many compactions */
    uint8_t unit;     /**< 2, 4 or 8: what is programmed at once */
    /* Offsets and lengths are multiples of the unit. */
    wm_status (*read)(void *medium, uint8_t segment, uint16_t offset, uint8_t *to, uint16_t len);
    wm_status (*program)(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                         uint16_t len);
    wm_status (*erase)(void *medium, uint8_t segment);
    /** Whether the medium is still the caller's alone: false in a process that has a copy of it.
     *  Asked before each counter is granted or cleared, and before limits move. NULL: always */
    bool (*is_ours)(void *medium);
} wm_counter_port;

WM_C_END

#endif
